import { Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { useApiQuery } from '#components/loaded.tsx'
import { Money } from '#components/money.tsx'
import { ScrollTable } from '#components/scroll-table.tsx'
import { sumOf } from '#pages/invoices/amounts.ts'

const MAX_ENTITIES = 100

/**
 * - `columns`, `amounts`: Their headings. Amounts stand on the right.
 * - `children`: The cells of a row.
 * - `sums`: The members of rows that are summed below them, by currency. They come first among the amounts.
 */
interface ReportTableProps<Row> {
  readonly label: string
  readonly minWidth: number
  readonly columns: readonly string[]
  readonly amounts: readonly string[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly children: (row: Row) => ReactNode
  readonly sums?: readonly AmountOf<Row>[]
}

type AmountOf<Row> = { [Name in keyof Row]: Row[Name] extends string ? Name : never }[keyof Row]

interface ReportRow {
  readonly legal_entity_id: string
  readonly currency: string
}

/** Rows of several legal entities begin with the entity's name. */
export function ReportTable<Row extends ReportRow>(props: ReportTableProps<Row>) {
  const { t } = useTranslation('reports')
  const { rows } = props
  if (rows.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('invoices.nothing')}
      </Text>
    )
  }
  return rows.some((row) => row.legal_entity_id !== rows[0]?.legal_entity_id) ? (
    <TableOfEntities {...props} />
  ) : (
    <PlainTable {...props} />
  )
}

function TableOfEntities<Row extends ReportRow>(props: ReportTableProps<Row>) {
  const { t } = useTranslation('reports')
  const api = useApi()
  const { data: names } = useApiQuery(
    ['legal_entities', 'names'],
    async ({ quittance }, signal) => {
      const { data } = await quittance.legalEntities.list({ limit: MAX_ENTITIES }, { signal })
      return new Map(data.map(({ id, name }) => [id, name]))
    },
    { enabled: api.can('billing:read') },
  )
  return (
    <PlainTable {...props} columns={[t('invoices.column.entity'), ...props.columns]}>
      {(row) => (
        <>
          <Table.Td>{names?.get(row.legal_entity_id) ?? row.legal_entity_id}</Table.Td>
          {props.children(row)}
        </>
      )}
    </PlainTable>
  )
}

function PlainTable<Row extends ReportRow>({
  label,
  minWidth,
  columns,
  amounts,
  rows,
  keyOf,
  children,
  sums,
}: ReportTableProps<Row>) {
  const { t } = useTranslation('reports')
  const byCurrency = sums === undefined ? [] : [...Map.groupBy(rows, ({ currency }) => currency)]
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
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={keyOf(row)}>{children(row)}</Table.Tr>
        ))}
      </Table.Tbody>
      <Table.Tfoot>
        {byCurrency.map(([currency, own]) => (
          <Table.Tr key={currency} fw={600}>
            <Table.Th scope="row" colSpan={columns.length}>
              {t('invoices.sum')}
            </Table.Th>
            {sums?.map((name) => (
              <Table.Td key={String(name)} ta="right">
                <Money
                  amount={sumOf(
                    own.map((row) => String(row[name])),
                    currency,
                  )}
                  currency={currency}
                />
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tfoot>
    </ScrollTable>
  )
}
