import sql, { Sql } from 'sql-template-tag'
import { wire } from '#platform/postgres/wire/current-wire'
import type { ArrayType } from '#platform/postgres/wire/wire'

export type Columns<Row> = Readonly<Record<string, Column<Row>>>

/** Documents are passed as JSON text, amounts and times as text. */
type Column<Row> = readonly [
  type: 'text' | 'numeric' | 'integer' | 'bigint' | 'boolean' | 'date' | 'timestamptz' | 'json' | 'bytea',
  value: (row: Row) => Value,
]

export type Value = string | number | bigint | boolean | Uint8Array | null

/**
 * Up to this many rows are sent as plain values, with one statement text for each number of rows. More rows are sent as
 * one array per column. Unnesting 18 arrays for a single row costs PostgreSQL a third of its insert.
 */
const FEW = 3

/**
 * Makes rows into a table expression for `from` or `with`. Arrays are hidden from the planner in sub-selects: the planner
 * knows the length of a visible array, believes a plan for fewer than ten elements to be cheaper than the generic plan, and
 * so plans the statement anew each time (0.2 ms).
 * @param name the alias of the table expression
 */
export function rowsAs<Row>(name: string, columns: Columns<Row>): (rows: readonly Row[]) => Sql {
  const values = Object.values(columns)
  const shape = `${name} (${Object.keys(columns).join(', ')})`
  const textsOfFew = Array.from({ length: FEW }, (_, index) => textsOfValues(values, index + 1, shape))
  const textsOfMany = textsOfArrays(values, shape)
  return (rows) => {
    const texts = textsOfFew[rows.length - 1]
    if (texts !== undefined)
      return new Sql(
        texts,
        rows.flatMap((row) => values.map(([, value]) => value(row))),
      )
    return new Sql(
      textsOfMany,
      values.map(([type, value]) =>
        isBinary(type)
          ? wire.arrayParameter(
              type,
              rows.map((row) => toElement(value(row))),
            )
          : rows.map(value),
      ),
    )
  }
}

/** The SQL text between the parameters of `(values (?::text, ?::numeric), (?, ?)) as n (id, amount)`. */
function textsOfValues<Row>(columns: readonly Column<Row>[], count: number, shape: string): string[] {
  const types = Array.from({ length: count }, () => columns.map(([type]) => type)).flat()
  return types.reduce(
    (texts, type, index) => {
      const isLast = index === types.length - 1
      const endsRow = (index + 1) % columns.length === 0
      return [...texts, `::${type}${isLast ? `)) as ${shape}` : endsRow ? '), (' : ', '}`]
    },
    ['(values ('],
  )
}

/** `unnest((select ` `::text[]), (select ` `::numeric[])) as n (id, amount)`. Documents and bytes carry their own cast. */
function textsOfArrays<Row>(columns: readonly Column<Row>[], shape: string): string[] {
  const types = columns.map(([type]) => (isBinary(type) ? '' : `::${type}[]`))
  return [
    'unnest((select ',
    ...types.map((type, index) => `${type})${index < types.length - 1 ? ', (select ' : `) as ${shape}`}`),
  ]
}

/**
 * A condition. A single value becomes a plain comparison, for which the planner uses the index even while its statistics say
 * that the table is nearly empty. More values become an array that is hidden from the planner, as in `rowsAs`.
 */
export function isOneOf(column: Sql, values: readonly string[]): Sql {
  const [only] = values
  return values.length === 1
    ? sql`${column} = ${only}`
    : sql`${column} = any((select ${[...values]}::text[])::text[])`
}

export const givenIds = rowsAs<string>('given', { id: ['text', (id) => id] })

function isBinary(type: string): type is ArrayType {
  return type === 'json' || type === 'bytea'
}

function toElement(value: Value): string | Uint8Array | null {
  return value === null || value instanceof Uint8Array ? value : String(value)
}
