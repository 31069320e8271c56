import { Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ScrollTable } from '#components/scroll-table.tsx'

/** - `columns`, `amounts`: Their headings. Amounts stand on the right. */
interface ReportTableProps<Row> {
  readonly label: string
  readonly minWidth: number
  readonly columns: readonly string[]
  readonly amounts: readonly string[]
  readonly rows: readonly Row[]
  readonly children: (row: Row) => ReactNode
}

export function ReportTable<Row>({
  label,
  minWidth,
  columns,
  amounts,
  rows,
  children,
}: ReportTableProps<Row>) {
  const { t } = useTranslation('reports')
  if (rows.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('invoices.nothing')}
      </Text>
    )
  }
  return (
    <ScrollTable label={label} minWidth={minWidth}>
      <Table.Thead>
        <Table.Tr>
          {columns.map((name) => (
            <Table.Th key={name}>{name}</Table.Th>
          ))}
          {amounts.map((name) => (
            <Table.Th key={name} ta="right">
              {name}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>{rows.map((row) => children(row))}</Table.Tbody>
    </ScrollTable>
  )
}
