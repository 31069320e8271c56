import sql, { Sql } from 'sql-template-tag'
import { binaryArray } from '#platform/postgres/wire/parameters'

/** Columns by name. */
export type Columns<Row> = Readonly<Record<string, Column<Row>>>

/** A column's type, and how it is read from a row. Documents are JSON text, amounts and times are text. */
type Column<Row> = readonly [
  type: 'text' | 'numeric' | 'integer' | 'bigint' | 'boolean' | 'date' | 'timestamptz' | 'json' | 'bytea',
  value: (row: Row) => Value,
]

type Value = string | number | boolean | Uint8Array | null

/**
 * More rows than these go as one array a column. Fewer go as plain values: taking 18 arrays apart for a single row costs
 * PostgreSQL a third of its insert. Each number of rows is a statement of its own.
 */
const FEW = 3

/**
 * Rows to be put behind `from` or into a `with`. A join with a single row is a look-up, also while the statistics say
 * that the other table has hardly any. Arrays are hidden from the planner in sub-selects: of one that it sees it knows
 * the length, takes a statement with fewer than ten rows for cheaper than the one it has planned, and plans it anew each
 * time (0.2 ms).
 * @param name how the statement calls them
 */
export function rowsAs<Row>(name: string, columns: Columns<Row>): (rows: readonly Row[]) => Sql {
  const given = Object.values(columns)
  const shape = `${name} (${Object.keys(columns).join(', ')})`
  const textsOfFew = Array.from({ length: FEW }, (_, index) => textsOfValues(given, index + 1, shape))
  const textsOfMany = textsOfArrays(given, shape)
  return (rows) => {
    const texts = textsOfFew[rows.length - 1]
    if (texts !== undefined)
      return new Sql(
        texts,
        rows.flatMap((row) => given.map(([, value]) => value(row))),
      )
    return new Sql(
      textsOfMany,
      given.map(([type, value]) =>
        isBinary(type)
          ? binaryArray(
              type,
              rows.map((row) => elementOf(value(row))),
            )
          : rows.map(value),
      ),
    )
  }
}

/** `(values (` `::text, ` `::numeric), (` … `::numeric)) as n (id, amount)` */
function textsOfValues<Row>(given: readonly Column<Row>[], count: number, shape: string): string[] {
  const types = Array.from({ length: count }, () => given.map(([type]) => type)).flat()
  return types.reduce(
    (texts, type, index) => {
      const isLast = index === types.length - 1
      const endsRow = (index + 1) % given.length === 0
      return [...texts, `::${type}${isLast ? `)) as ${shape}` : endsRow ? '), (' : ', '}`]
    },
    ['(values ('],
  )
}

/** `unnest((select ` `::text[]), (select ` `::numeric[])) as n (id, amount)`; documents and bytes come with their type. */
function textsOfArrays<Row>(given: readonly Column<Row>[], shape: string): string[] {
  const types = given.map(([type]) => (isBinary(type) ? '' : `::${type}[]`))
  return [
    'unnest((select ',
    ...types.map((type, index) => `${type})${index < types.length - 1 ? ', (select ' : `) as ${shape}`}`),
  ]
}

/**
 * That a column is one of these. Of one it is a plain comparison: with that the planner looks up a single row, also while
 * its statistics say that the table has hardly any and reading them all costs the same. Of more, the array is hidden from
 * it as in `rowsAs`.
 */
export function isOneOf(column: Sql, values: readonly string[]): Sql {
  const [only] = values
  return values.length === 1
    ? sql`${column} = ${only}`
    : sql`${column} = any((select ${[...values]}::text[])::text[])`
}

/** Ids to be looked up one by one: `given (id)` behind `from`. */
export const givenIds = rowsAs<string>('given', { id: ['text', (id) => id] })

function isBinary(type: string): type is 'json' | 'bytea' {
  return type === 'json' || type === 'bytea'
}

function elementOf(value: Value): string | Uint8Array | null {
  return value === null || value instanceof Uint8Array ? value : String(value)
}
