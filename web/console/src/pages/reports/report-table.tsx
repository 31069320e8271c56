import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { ColumnTable, type TableColumn } from '#components/column-table.tsx'
import { useApiQuery } from '#components/loaded.tsx'
import { Money } from '#components/money.tsx'
import { isZeroAmount, sumOf } from '#pages/invoices/amounts.ts'

const MAX_ENTITIES = 100

interface ReportTableProps<Row> {
  readonly label: string
  readonly minWidth: number
  readonly columns: readonly TableColumn<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** Rows have a name of their own in the first column, which the entity follows. On a phone it heads their card. */
  readonly areNamed?: true
}

interface ReportRow {
  readonly legal_entity_id: string
  readonly currency: string
}

interface AmountColumn<Row> extends Pick<TableColumn<Row>, 'isMain'> {
  readonly name: string
  readonly amountOf: (row: Row) => string
  /** Whether it says nothing where it is zero. */
  readonly isRare?: true
  readonly isSummed?: boolean
  readonly show?: (amount: ReactNode, row: Row) => ReactNode
}

export function amountColumn<Row extends ReportRow>({
  amountOf,
  isRare,
  isSummed,
  show = (amount) => amount,
  ...column
}: AmountColumn<Row>): TableColumn<Row> {
  return {
    ...column,
    align: 'right',
    cell: (row) =>
      isRare === true && isZeroAmount(amountOf(row), row.currency)
        ? null
        : show(<Money amount={amountOf(row)} currency={row.currency} />, row),
    ...(isSummed === true && {
      sum: (rows: readonly Row[]) => {
        const currency = rows[0]?.currency ?? ''
        return <Money amount={sumOf(rows.map(amountOf), currency)} currency={currency} />
      },
    }),
  }
}

/** Rows of several legal entities have the entity's name. Sums are by currency. */
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
    <TableWithSums {...props} />
  )
}

function TableOfEntities<Row extends ReportRow>({ areNamed, ...props }: ReportTableProps<Row>) {
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
  const entity: TableColumn<Row> = {
    name: t('invoices.column.entity'),
    cell: ({ legal_entity_id: id }) => names?.get(id) ?? id,
  }
  const place = areNamed === true ? 1 : 0
  return <TableWithSums {...props} columns={props.columns.toSpliced(place, 0, entity)} />
}

function TableWithSums<Row extends ReportRow>(props: Omit<ReportTableProps<Row>, 'areNamed'>) {
  const { t } = useTranslation('reports')
  const isSummed = props.columns.some(({ sum }) => sum !== undefined)
  const feet = [...Map.groupBy(props.rows, ({ currency }) => currency)].map(([currency, rows]) => ({
    key: currency,
    label: t('invoices.sum'),
    rows,
  }))
  return <ColumnTable {...props} feet={isSummed ? feet : []} />
}
