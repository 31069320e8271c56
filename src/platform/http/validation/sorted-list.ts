import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { parseDate } from '#kernel/time-text'
import { OneOf } from '#platform/http/validation/schemas'
import { type PageRequest, readPageAfter } from './list.ts'

/**
 * Lists that the caller sorts by one of their fields (reference/conventions#lists). Rows with one value stand in the order of
 * their ids, so that pages neither repeat nor skip a row.
 */

/**
 * A column that an index has behind the tenant and before the id. Its operators must be leakproof, because row-level security
 * keeps others from the index.
 */
export interface SortField {
  readonly column: Sql
  readonly type: 'date' | 'bigint' | 'text'
}

type SortFields = Readonly<Record<string, SortField>>

interface Sort {
  readonly field: SortField
  readonly isDescending: boolean
}

export interface SortedPage extends PageRequest<string> {
  readonly sort: Sort
}

function sortsOf(fields: SortFields): [string, ...string[]] {
  const [first = '', ...others] = Object.keys(fields).flatMap((name) => [name, `-${name}`])
  return [first, ...others]
}

export function SortBy(fields: SortFields) {
  return OneOf(sortsOf(fields), {
    description: 'The field that the list is sorted by; `-` sorts descending. Default: newest first.',
  })
}

type PagingQuery = Parameters<typeof readPageAfter>[1]

/** @param sort one of `sortsOf(fields)` */
export function readSortedPage(
  list: string,
  query: PagingQuery,
  fields: SortFields,
  sort: string,
): SortedPage {
  const isDescending = sort.startsWith('-')
  const field = fields[isDescending ? sort.slice(1) : sort]
  if (field === undefined) throw new Error(`${list} cannot be sorted by ${sort}`)
  // A cursor belongs to one order of the list.
  const page = readPageAfter(`${list} ${sort}`, query, READERS[field.type])
  return { ...page, sort: { field, isDescending } }
}

/** What a cursor says goes into SQL, so a forged one must fail here. */
const READERS: Readonly<Record<SortField['type'], (text: string) => string | undefined>> = {
  date: (text) => (text === 'infinity' ? text : parseDate(text)?.toString()),
  bigint: (text) => (/^-?\d{1,19}$/.test(text) && isBigint(BigInt(text)) ? text : undefined),
  text: (text) => (text.includes('\0') ? undefined : text),
}

function isBigint(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value
}

/** The end of a statement whose `where` ends before it. @param id collated "C" */
export function rowsOfSortedPage(
  { offset, limit, after, sort: { field, isDescending } }: SortedPage,
  id: Sql,
): Sql {
  const { column, type } = field
  const direction = isDescending ? raw('desc') : raw('asc')
  const onlyAfter =
    after &&
    sql`and (${column}, ${id}) ${raw(isDescending ? '<' : '>')} (${after.at}::${raw(type)}, ${after.id})`
  return sql`${onlyAfter ?? empty} order by ${column} ${direction}, ${id} ${direction} limit ${limit + 1} offset ${offset}`
}
