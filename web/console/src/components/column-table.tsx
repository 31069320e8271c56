import { Table } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { ScrollTable } from '#components/scroll-table.tsx'
import classes from './column-table.module.css'

/**
 * - `name`: Its heading. A column of buttons has an empty one.
 * - `cell`: Null where the row has nothing to say.
 * - `sum`: What the last line of the table shows below the column.
 * - `isMain`: On a phone it stands beside the first column.
 */
export interface TableColumn<Row> {
  readonly name: string
  readonly cell: (row: Row) => ReactNode
  readonly align?: 'right'
  readonly noWrap?: true
  readonly sum?: (rows: readonly Row[]) => ReactNode
  readonly isMain?: true
}

interface Foot<Row> {
  readonly key: string
  readonly label: string
  readonly rows: readonly Row[]
}

interface ColumnTableProps<Row> {
  readonly label: string
  /** In pixels, for screens that are wider than a phone. */
  readonly minWidth: number
  readonly columns: readonly TableColumn<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly feet?: readonly Foot<Row>[]
  readonly verticalSpacing?: 'xs'
}

/** A plain table by its columns. On a phone each row is a card with the names of its values, so that no amount is off the screen. */
export function ColumnTable<Row>(props: ColumnTableProps<Row>) {
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  return isPhone ? <Cards {...props} /> : <WideTable {...props} />
}

function WideTable<Row>({
  label,
  minWidth,
  columns,
  rows,
  keyOf,
  feet = [],
  ...table
}: ColumnTableProps<Row>) {
  const firstSum = columns.findIndex(({ sum }) => sum !== undefined)
  return (
    <ScrollTable label={label} minWidth={minWidth} {...table}>
      <Table.Thead>
        <Table.Tr>
          {columns.map(({ name, align }) =>
            name === '' ? (
              <Table.Td key={name} />
            ) : (
              <Table.Th key={name} ta={align}>
                {name}
              </Table.Th>
            ),
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={keyOf(row)}>
            {columns.map(({ name, cell, align, noWrap }) => (
              <Table.Td key={name} ta={align} style={noWrap && { whiteSpace: 'nowrap' }}>
                {cell(row) ?? '—'}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
      {feet.length > 0 && (
        <Table.Tfoot>
          {feet.map((foot) => (
            <Table.Tr key={foot.key} fw={600}>
              <Table.Th scope="row" colSpan={firstSum}>
                {foot.label}
              </Table.Th>
              {columns.slice(firstSum).map(({ name, sum, align }) => (
                <Table.Td key={name} ta={align}>
                  {sum?.(foot.rows)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tfoot>
      )}
    </ScrollTable>
  )
}

function Cards<Row>({ label, columns, rows, keyOf, feet = [] }: ColumnTableProps<Row>) {
  const [first] = columns
  return (
    <ul className={classes.cards} aria-label={label}>
      {rows.map((row) => (
        <Card
          key={keyOf(row)}
          title={first?.cell(row) ?? '—'}
          columns={columns.slice(1)}
          valueOf={({ cell }) => cell(row)}
        />
      ))}
      {feet.map((foot) => (
        <Card
          key={foot.key}
          title={foot.label}
          columns={columns}
          valueOf={({ sum }) => sum?.(foot.rows)}
          isFoot
        />
      ))}
    </ul>
  )
}

interface CardProps<Row> {
  readonly title: ReactNode
  readonly columns: readonly TableColumn<Row>[]
  readonly valueOf: (column: TableColumn<Row>) => ReactNode
  readonly isFoot?: true
}

function Card<Row>({ title, columns, valueOf, isFoot }: CardProps<Row>) {
  const named = columns.flatMap((column) => {
    const value = valueOf(column)
    return value == null || value === false ? [] : [{ ...column, value }]
  })
  const main = named.find(({ isMain }) => isMain)
  const fields = named.filter((column) => column.name !== '' && column !== main)
  return (
    <li data-foot={isFoot}>
      <div className={classes.head}>
        <div className={classes.title}>{title}</div>
        {main !== undefined && (
          <dl className={classes.main}>
            <dt>{main.name}</dt>
            <dd>{main.value}</dd>
          </dl>
        )}
      </div>
      {fields.length > 0 && (
        <dl className={classes.fields}>
          {fields.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {named.map(({ name, value }) => name === '' && <div key={name}>{value}</div>)}
    </li>
  )
}
