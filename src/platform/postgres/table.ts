import { compileFunction } from 'node:vm'
import sql, { join, raw, Sql } from 'sql-template-tag'
import { type Instant, rfc3339OrNull } from '#kernel/clock'
import { type Decimal, decimal, decimalToString } from '#kernel/decimal'
import { Money } from '#kernel/money'
import { type Columns, rowsAs, type Value } from '#platform/postgres/rows'

/**
 * How records of a type are stored, declared once. Statements stay SQL; a table supplies their lists of columns.
 * - `columns`: for `select` and `returning`: `p.id, p.unit_label`.
 * - `read`: makes a record from a row that was selected with `columns`.
 * - `values`: what stands behind the name of the table of an `insert`. `more` are columns that no record has; SQL refers to the
 *   new row as `n`.
 * - `set`: what stands behind `set` of an `update`: every column of the record.
 * - `setFrom`: the same from the rows of `rowsAs`: `unit_label = c.unit_label`.
 * - `only`, `without`: the same table with fewer members.
 */
interface Table<Row extends object> {
  readonly columns: Sql
  readonly read: (row: object) => Row
  readonly values: (
    businessId: string,
    records: readonly Row[],
    more?: Readonly<Record<string, Value | Sql>>,
  ) => Sql
  readonly set: (record: Row) => Sql
  readonly setFrom: (alias: string) => Sql
  readonly rowsAs: (alias: string) => (records: readonly Row[]) => Sql
  readonly only: <Member extends keyof Row & string>(...members: Member[]) => Table<Pick<Row, Member>>
  readonly without: <Member extends keyof Row & string>(...members: Member[]) => Table<Omit<Row, Member>>
}

export type Members<Row> = { readonly [Member in keyof Row]-?: Declared<Row[Member]> }

/** The type of a column whose values the driver reads and writes as they are, or how a value is stored. */
type Declared<T> = PlainType<NonNullable<T>> | Column<T> | Composed<T>

type PlainType<T> = [T] extends [string]
  ? 'text' | 'date'
  : [T] extends [number]
    ? 'integer'
    : [T] extends [bigint]
      ? 'bigint' | 'numeric'
      : [T] extends [boolean]
        ? 'boolean'
        : [T] extends [Instant]
          ? 'timestamptz'
          : never

interface Column<T> extends AnyColumn {
  readonly read?: (stored: never) => T
  readonly write?: (value: T) => Value
}

interface AnyColumn {
  readonly name?: string
  readonly type: Columns<never>[string][0]
  readonly cast?: 'text'
  readonly read?: (stored: never) => unknown
  readonly write?: (value: never) => Value
}

/** `read` takes the values of the columns `from`, each `column` or `column::type`. */
interface Composed<T> extends AnyComposed {
  readonly read: (...stored: never[]) => T
  readonly columns: Columns<T>
}

interface AnyComposed {
  readonly from: readonly string[]
  readonly read: (...stored: never[]) => unknown
  readonly columns: Columns<never>
  readonly expression?: string
}

type AnyMember = AnyColumn['type'] | AnyColumn | AnyComposed

/** A column whose name is not the member's in snake case. */
export function named<T>(name: string, column: PlainType<NonNullable<T>> | Column<T>): Column<T> {
  return { ...(typeof column === 'string' ? { type: column } : column), name }
}

/** A document without numbers that JSON.parse would round. */
export function json<T>(): Column<T> {
  return {
    type: 'json',
    read: (stored: string | null) => (stored === null ? null : JSON.parse(stored)) as T,
    write: (value) => (value === null ? null : JSON.stringify(value)),
  }
}

/** A `numeric` column with a fraction, which the driver would read as whole numbers. */
export const DECIMAL: Column<Decimal> = {
  type: 'numeric',
  cast: 'text',
  read: decimal,
  write: decimalToString,
}

/** A `bigint` column of numbers below 2^53. */
export const WHOLE: Column<number> = { type: 'bigint', read: Number }

/** A member that is stored in several columns. */
export function composed<T>(
  from: readonly string[],
  read: (...stored: never[]) => T,
  columns: Columns<T>,
): Composed<T> {
  return { from, read, columns }
}

/** A member that is selected by an SQL expression and never written. */
export function computed<T>(name: string, expression: string): Composed<T> {
  return { from: [name], read: (value: T) => value, columns: {}, expression }
}

/**
 * An amount in the currency of the row's column `currency`.
 * @param currency the column to write the currency to, where no other member does
 */
export function amount(minor: string, currency?: 'currency'): Composed<Money> {
  return composed(['currency', minor], (code: string, stored: bigint) => Money.ofMinor(code, stored), {
    [minor]: ['numeric', (money) => money.minor],
    ...(currency && { [currency]: ['text', (money: Money) => money.currency] }),
  })
}

/**
 * Declares a table by the members of its records.
 * @param alias the table's name or alias in the statements that use `columns`
 * @param prefix begins the columns' names in selected rows, where a statement joins tables that share names
 */
export function table<Row extends object>(alias: string, members: Members<Row>, prefix = ''): Table<Row> {
  const stored = Object.entries<AnyMember>(members).map(([member, declared]) => toStored(member, declared))
  return tableOf(alias, stored, prefix)
}

interface Stored {
  readonly member: string
  readonly from: readonly string[]
  readonly read?: ((...stored: never[]) => unknown) | undefined
  readonly columns: Readonly<Record<string, readonly [AnyColumn['type'], write: AnyColumn['write']]>>
  readonly expression?: string
}

function toStored(member: string, declared: AnyMember): Stored {
  if (typeof declared === 'object' && 'columns' in declared) return { member, ...declared }
  const {
    name = inSnakeCase(member),
    type,
    cast,
    read,
    write,
  }: AnyColumn = typeof declared === 'string' ? { type: declared } : declared
  const defaultWrite = type === 'timestamptz' ? rfc3339OrNull : undefined
  const from = [cast === undefined ? name : `${name}::${cast}`]
  return { member, from, read, columns: { [name]: [type, write ?? defaultWrite] } }
}

function inSnakeCase(member: string): string {
  return member.replaceAll(/[A-Z]|(?<=[a-z])\d+/g, (part) => `_${part.toLowerCase()}`)
}

function tableOf<Row extends object>(alias: string, members: readonly Stored[], prefix: string): Table<Row> {
  const columns = columnsOf<Row>(members)
  const names = Object.keys(columns)
  const selected = members.flatMap(({ from, expression }) =>
    expression === undefined
      ? from.map((name) => `${alias}.${name}${prefix && ` as ${prefix}${nameOf(name)}`}`)
      : `${expression} as ${prefix}${from[0]}`,
  )
  const newRows = rowsAs('n', columns)
  const newColumns = raw(names.map((name) => `n.${name}`).join(', '))
  const assignments = [...names.map((name, index) => `${index === 0 ? '' : ', '}${name} = `), '']
  return {
    columns: raw([...new Set(selected)].join(', ')),
    read: readerOf(members, prefix),
    values: (businessId, records, more = {}) => sql`
      (business_id, ${raw([...names, ...Object.keys(more)].join(', '))})
      select ${join([businessId, newColumns, ...Object.values(more)], ', ')} from ${newRows(records)}`,
    set: (record) =>
      new Sql(
        assignments,
        Object.values(columns).map(([, value]) => value(record)),
      ),
    setFrom: (other) => raw(names.map((name) => `${name} = ${other}.${name}`).join(', ')),
    rowsAs: (other) => rowsAs(other, columns),
    only: (...kept: string[]) =>
      tableOf(
        alias,
        members.filter(({ member }) => kept.includes(member)),
        prefix,
      ),
    without: (...left: string[]) =>
      tableOf(
        alias,
        members.filter(({ member }) => !left.includes(member)),
        prefix,
      ),
  }
}

function nameOf(selected: string): string {
  return selected.split('::')[0] ?? selected
}

/**
 * Compiled for each table, as `wire/statement-query.ts` does: V8 allocates each record at once, and no call sees the
 * members of another table.
 */
function readerOf<Row extends object>(members: readonly Stored[], prefix: string): Table<Row>['read'] {
  const codes = members.map(({ member, from, read }, index) => {
    const values = from.map((name) => `row[${JSON.stringify(prefix + nameOf(name))}]`).join(', ')
    return `${JSON.stringify(member)}: ${read === undefined ? values : `reads[${index}](${values})`}`
  })
  const reads = members.map(({ read }) => read)
  return compileFunction(`return (row) => ({ ${codes.join(', ')} })`, ['reads'])(reads) as (
    row: object,
  ) => Row
}

function columnsOf<Row>(members: readonly Stored[]): Columns<Row> {
  const columns = members.flatMap(({ member, columns: own }) =>
    Object.entries(own).map(([name, [type, write]]) => {
      const value = `record[${JSON.stringify(member)}]`
      const code = `return (record) => ${write === undefined ? value : `write(${value})`}`
      return [name, [type, compileFunction(code, ['write'])(write) as (record: Row) => Value]] as const
    }),
  )
  return Object.fromEntries(columns)
}
