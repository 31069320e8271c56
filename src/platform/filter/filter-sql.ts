import sql, { join, type Sql } from 'sql-template-tag'
import { decimalToString, isDecimalProblem, parseDecimal } from '#kernel/decimal'
import { parseDate, parseInstant } from '#kernel/time-text'
import { startOfLocalDay, type TimeZone } from '#kernel/time-zone'
import { type Comparator, type FilterComparison, type FilterNode, FilterProblem } from './filter.ts'

/**
 * A field of a filter and its SQL expression (reference/conventions#filters). Its type decides the
 * comparators:
 * - text: all, ordered by code point. `*` in the value of `=` and `!=` matches any text, `\*` an asterisk.
 * `:` means contains, ignoring case in any alphabet.
 * - enum: `=` and `!=` with one of `values`, and `:` for the values that contain the text.
 * - time: all but `:`, with RFC 3339 times or with dates, which mean whole days in the list's zone.
 * - date: all but `:`, with dates. With `otherwise`, a row without one has the local date of `otherwise.at` if
 * `otherwise.when` holds.
 * - decimal: all but `:`, compared exactly.
 * - key: `=`, `!=` and `:`, with a whole value that is looked up elsewhere, such as one of several ids.
 * `:*` matches any value; an empty text is not a value.
 * `narrow`: A condition on indexed columns that every row with this value fulfils as well. `=` adds it.
 * `fold`: Folds a value before it is compared, in the way in which the column was folded.
 * `beginsAnyWord`: A value such as `abc*` may be the beginning of any word of the column.
 * `second`: An indexed column that is the time itself or less than a second before it.
 * `prefix`: The column is indexed in the collation "C", so a value such as `abc*` becomes a range of the index.
 */
type FilterField = (
  | {
      readonly type: 'text'
      readonly column: Sql
      readonly prefix?: true
      readonly fold?: (value: string) => string
      readonly beginsAnyWord?: true
    }
  | { readonly type: 'decimal'; readonly column: Sql }
  | { readonly type: 'time'; readonly column: Sql; readonly second?: Sql }
  | {
      readonly type: 'date'
      readonly column: Sql
      readonly otherwise?: { readonly at: Sql; readonly when: Sql }
    }
  | { readonly type: 'enum'; readonly column: Sql; readonly values: readonly string[] }
  | { readonly type: 'key'; readonly matches: (value: string) => Sql; readonly isPresent: Sql }
) & { readonly narrow?: (value: string) => Sql | undefined }

type TextField = Extract<FilterField, { readonly type: 'text' }>
type TimeField = Extract<FilterField, { readonly type: 'time' }>
type DateField = Extract<FilterField, { readonly type: 'date' }>

export type FilterFields = Readonly<Record<string, FilterField>>

type Ordering = Exclude<Comparator, ':'>

const OPERATORS: Readonly<Record<Ordering, Sql>> = {
  '=': sql`=`,
  '!=': sql`is distinct from`,
  '<': sql`<`,
  '<=': sql`<=`,
  '>': sql`>`,
  '>=': sql`>=`,
}

/**
 * Builds the condition of a `where`. Everything from the caller is a bound parameter. A row without a value
 * (null) matches only `!=` and `NOT`, so `NOT x` is always the complement of `x`. `zone` decides when a date
 * starts. Throws FilterProblem.
 */
export function filterToSql(node: FilterNode, fields: FilterFields, zone: TimeZone = 'UTC'): Sql {
  if (node.kind === 'not') return sql`(${filterToSql(node.node, fields, zone)} is not true)`
  if (node.kind === 'presence') return presenceToSql(fieldOf(node, fields))
  if (node.kind === 'comparison') return comparisonToSql(node, fieldOf(node, fields), zone)
  if (node.nodes.length === 0) return sql`true`
  const parts = node.nodes.map((part) => filterToSql(part, fields, zone))
  return sql`(${join(parts, node.kind === 'and' ? ' and ' : ' or ')})`
}

function fieldOf(node: { field: string; position: number }, fields: FilterFields): FilterField {
  const field = Object.hasOwn(fields, node.field) ? fields[node.field] : undefined
  if (field !== undefined) return field
  // The message leaves out the name, which may be a key in the wrong place.
  const names = Object.keys(fields).join(', ')
  throw new FilterProblem(`this field does not exist; fields: ${names}`, node.position)
}

function presenceToSql(field: FilterField): Sql {
  if (field.type === 'key') return field.isPresent
  const { type, column } = field
  if (type === 'date' && field.otherwise !== undefined)
    return sql`(${column} is not null or ${field.otherwise.when})`
  return type === 'text' ? sql`(${column} is not null and ${column} <> '')` : sql`(${column} is not null)`
}

function comparisonToSql(node: FilterComparison, field: FilterField, zone: TimeZone): Sql {
  const condition = conditionOf(node, field, zone)
  const narrowed = node.comparator === '=' && node.pieces.length === 1 && field.narrow?.(node.value)
  return narrowed ? sql`(${condition} and ${narrowed})` : condition
}

function conditionOf(node: FilterComparison, field: FilterField, zone: TimeZone): Sql {
  if (field.type === 'text') return textToSql(folded(node, field.fold), field)
  if (field.type === 'enum') return enumToSql(node, field.column, field.values)
  if (field.type === 'key') return keyToSql(node, field.matches)
  if (field.type === 'date') return dateToSql(node, field, zone)
  if (field.type === 'time') return timeToSql(node, field, zone)
  return decimalToSql(node, field.column)
}

function folded(node: FilterComparison, fold: ((value: string) => string) | undefined): FilterComparison {
  return fold === undefined ? node : { ...node, value: fold(node.value), pieces: node.pieces.map(fold) }
}

function textToSql(
  { comparator, value, pieces }: FilterComparison,
  { column, prefix, beginsAnyWord }: TextField,
): Sql {
  if (comparator === ':') {
    // The database collation "C" folds the case of ASCII letters only.
    return sql`((${column}) collate "und-x-icu" ilike ${`%${likeLiteral(value)}%`})`
  }
  if (pieces.length > 1 && (comparator === '=' || comparator === '!=')) {
    const pattern = pieces.map(likeLiteral).join('%')
    const matches =
      beginsAnyWord && pieces[0] !== ''
        ? sql`(' ' || ${column} like ${`% ${pattern}`})`
        : sql`(${column} like ${pattern})`
    if (comparator === '!=') return sql`(${matches} is not true)`
    const [start = ''] = pieces
    return prefix && start !== '' ? sql`(${startsWith(column, start)} and ${matches})` : matches
  }
  return sql`(${column} ${OPERATORS[comparator]} ${value})`
}

/** `like` is not leakproof, so row-level security keeps it from using an index; comparisons may. */
export function startsWith(column: Sql, start: string): Sql {
  return sql`(${column} >= ${start} and ${column} < ${start + LAST_CHARACTER})`
}

const LAST_CHARACTER = '\u{10ffff}'

function likeLiteral(text: string): string {
  return text.replace(/[\\%_]/g, String.raw`\$&`)
}

function enumToSql(node: FilterComparison, column: Sql, values: readonly string[]): Sql {
  if (node.comparator === ':') {
    const part = node.value.toLowerCase()
    const containing = values.filter((value) => value.toLowerCase().includes(part))
    return sql`(${column} = any(${containing}::text[]))`
  }
  if (node.comparator !== '=' && node.comparator !== '!=')
    throw unsupported(node, 'one of a list', '=, != or :')
  if (!values.includes(node.value)) {
    throw new FilterProblem(
      `${node.field} must be compared with one of ${values.join(', ')}`,
      node.valuePosition,
    )
  }
  return sql`(${column} ${OPERATORS[node.comparator]} ${node.value})`
}

function keyToSql(node: FilterComparison, matches: (value: string) => Sql): Sql {
  if (node.comparator !== '=' && node.comparator !== '!=' && node.comparator !== ':')
    throw unsupported(node, 'an id', '=, != or :')
  if (node.pieces.length > 1) {
    throw new FilterProblem(`${node.field} must be compared with a whole id, without *`, node.valuePosition)
  }
  return node.comparator === '!=' ? sql`(${matches(node.value)} is not true)` : matches(node.value)
}

function timeToSql(node: FilterComparison, { column, second }: TimeField, zone: TimeZone): Sql {
  const { comparator } = node
  if (comparator === ':') throw unsupported(node, 'a time', '=, !=, <, <=, > or >=')
  const instant = parseInstant(node.value)
  if (instant !== undefined) {
    const at = sql`${instant.toString()}::timestamptz`
    const condition = sql`(${column} ${OPERATORS[comparator]} ${at})`
    return second ? sql`(${condition} and ${SECOND_CONDITIONS[comparator](second, at, at)})` : condition
  }
  const date = parseDate(node.value)
  if (date === undefined) {
    throw new FilterProblem(
      `${node.field} must be compared with a time such as "2026-02-28T10:00:00Z" or a date such as "2026-02-28"`,
      node.valuePosition,
    )
  }
  const from = sql`${startOfLocalDay(date, zone).toString()}::timestamptz`
  const until = sql`${startOfLocalDay(date.add({ days: 1 }), zone).toString()}::timestamptz`
  const condition = DAY_CONDITIONS[comparator](column, from, until)
  return second ? sql`(${condition} and ${SECOND_CONDITIONS[comparator](second, from, until)})` : condition
}

function dateToSql(node: FilterComparison, { column, otherwise }: DateField, zone: TimeZone): Sql {
  const { comparator } = node
  if (comparator === ':') throw unsupported(node, 'a date', '=, !=, <, <=, > or >=')
  const date = parseDate(node.value)
  if (date === undefined) {
    throw new FilterProblem(
      `${node.field} must be compared with a date such as "2026-02-28"`,
      node.valuePosition,
    )
  }
  const ordering = comparator === '!=' ? '=' : comparator
  const own = sql`${column} ${OPERATORS[ordering]} ${date.toString()}::date`
  const derived = otherwise
    ? sql`(${column} is null and ${otherwise.when} and ${dayCondition(ordering, otherwise.at, date, zone)})`
    : sql`false`
  const condition = sql`(${own} or ${derived})`
  return comparator === '!=' ? sql`(${condition} is not true)` : condition
}

function dayCondition(comparator: Ordering, at: Sql, date: Temporal.PlainDate, zone: TimeZone): Sql {
  const from = sql`${startOfLocalDay(date, zone).toString()}::timestamptz`
  const until = sql`${startOfLocalDay(date.add({ days: 1 }), zone).toString()}::timestamptz`
  return DAY_CONDITIONS[comparator](at, from, until)
}

const isSince = (second: Sql, from: Sql) => sql`${second} > ${from} - interval '1 second'`

const SECOND_CONDITIONS: typeof DAY_CONDITIONS = {
  '=': (second, from, until) => sql`(${isSince(second, from)} and ${second} <= ${until})`,
  '!=': () => sql`true`,
  '<': (second, from) => sql`(${second} < ${from})`,
  '<=': (second, _from, until) => sql`(${second} <= ${until})`,
  '>': (second, from) => isSince(second, from),
  '>=': (second, from) => isSince(second, from),
}

const DAY_CONDITIONS: Readonly<Record<Ordering, (column: Sql, from: Sql, until: Sql) => Sql>> = {
  '=': (column, from, until) => sql`(${column} >= ${from} and ${column} < ${until})`,
  '!=': (column, from, until) => sql`((${column} >= ${from} and ${column} < ${until}) is not true)`,
  '<': (column, from) => sql`(${column} < ${from})`,
  '<=': (column, _from, until) => sql`(${column} < ${until})`,
  '>': (column, _from, until) => sql`(${column} >= ${until})`,
  '>=': (column, from) => sql`(${column} >= ${from})`,
}

function decimalToSql(node: FilterComparison, column: Sql): Sql {
  if (node.comparator === ':') throw unsupported(node, 'a number', '=, !=, <, <=, > or >=')
  const value = parseDecimal(node.value)
  if (isDecimalProblem(value)) throw new FilterProblem(`${node.field} ${value.message}`, node.valuePosition)
  return sql`(${column} ${OPERATORS[node.comparator]} ${decimalToString(value)}::numeric)`
}

function unsupported(node: FilterComparison, kind: string, comparators: string): FilterProblem {
  return new FilterProblem(
    `${node.field} is ${kind}, which can be compared with ${comparators} only`,
    node.position,
  )
}
