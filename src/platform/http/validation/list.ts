import sql, { empty, type Sql } from 'sql-template-tag'
import Type, { type TProperties } from 'typebox'
import type { Instant } from '#kernel/clock'
import { parseInstant } from '#kernel/time-text'
import type { FilterFields } from '#platform/filter/filter-sql'
import { platformErrors } from '#platform/errors'
import { Nullable, Resource, strictObject, Text } from '#platform/http/validation/schemas'

const DEFAULT_LIMIT = 20
const MAX_LIMIT = 100
/** The number of reference/conventions#spreadsheets. */
const EXPORT_LIMIT = 500
const MAX_COLUMNS_LENGTH = 4_000
/** The database reads and drops every skipped row. */
const MAX_OFFSET = 10_000
/** Only bounds the request. The filter parser has its own limit of 1,000 characters and names the position. */
const MAX_FILTER_LENGTH = 16_000
const MAX_CURSOR_LENGTH = 512
/** The bound of reference/conventions#lists. */
export const MAX_PAGE_BYTES = 1024 * 1024

const PAGING = {
  offset: Type.Optional(
    Type.Integer({ minimum: 0, description: `Rows to skip: at most ${MAX_OFFSET}, default 0.` }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: `Rows of a page: at most ${MAX_LIMIT}, default ${DEFAULT_LIMIT}.`,
    }),
  ),
  cursor: Type.Optional(Text({ max: MAX_CURSOR_LENGTH, description: 'next_cursor of the previous page.' })),
  columns: Type.Optional(
    Text({
      max: MAX_COLUMNS_LENGTH,
      description:
        'With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member.',
    }),
  ),
}

export function listQuery<Extra extends TProperties>(extra: Extra) {
  return strictObject({ ...extra, ...PAGING })
}

export const ListQuery = listQuery({})

export function filteredListQuery<Extra extends TProperties = {}>(
  fields: FilterFields,
  extra: Extra = {} as Extra,
) {
  const names = Object.keys(fields).map((name) => `\`${name}\``)
  const description = `AIP-160 filter, at most 1,000 characters. Fields: ${names.join(', ')}.`
  return listQuery({ filter: Type.Optional(Text({ min: 0, max: MAX_FILTER_LENGTH, description })), ...extra })
}

export const PageSchema = Resource('Page', {
  offset: Type.Integer(),
  limit: Type.Integer({
    description:
      'The requested limit, or the number of rows where large rows ended the page early. The next page starts at offset + limit.',
  }),
  has_more: Type.Boolean(),
  next_cursor: Nullable(Type.String()),
})

/** - `at`: What the list is sorted by, before the id. */
export interface PageKey<Value = Instant> {
  readonly at: Value
  readonly id: string
}

/**
 * - `list`: The name of the list, so that one list refuses the cursor of another.
 * - `limit`: Read `limit + 1` rows: the last one shows `renderPage` that there are more.
 */
export interface PageRequest<Value = Instant> {
  readonly list: string
  readonly offset: number
  readonly limit: number
  readonly after: PageKey<Value> | undefined
}

export function rowsOfPage({ offset, limit, after }: PageRequest, at: Sql, id: Sql): Sql {
  const onlyAfter = after && sql`and (${at}, ${id}) < (${after.at.toString()}::timestamptz, ${after.id})`
  return sql`${onlyAfter ?? empty} order by ${at} desc, ${id} desc limit ${limit + 1} offset ${offset}`
}

export interface Page {
  readonly offset: number
  readonly limit: number
  readonly has_more: boolean
  readonly next_cursor: string | null
}

export const WHOLE_LIST = Symbol('whole list')

interface PagingQuery {
  readonly [WHOLE_LIST]?: true
  readonly offset?: number | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export function readPage(list: string, query: PagingQuery): PageRequest {
  return readPageAfter(list, query, parseInstant)
}

/** @param readValue reads what the list is sorted by; undefined for what no row has there */
export function readPageAfter<Value>(
  list: string,
  query: PagingQuery,
  readValue: (text: string) => Value | undefined,
): PageRequest<Value> {
  const offset = query.offset ?? 0
  if (offset > MAX_OFFSET) throw platformErrors.offset_too_deep({ param: 'offset' })
  if (query.cursor !== undefined && offset > 0) {
    throw platformErrors.invalid_query_value({
      param: 'offset',
      message: 'offset must not be sent together with cursor; send one of them.',
    })
  }
  return {
    list,
    offset,
    limit: query[WHOLE_LIST] ? EXPORT_LIMIT : Math.min(query.limit ?? DEFAULT_LIMIT, MAX_LIMIT),
    after: query.cursor === undefined ? undefined : decodeCursor(list, query.cursor, readValue),
  }
}

export function byCreation({ createdAt, id }: { readonly createdAt: Instant; readonly id: string }): PageKey {
  return { at: createdAt, id }
}

/**
 * Renders up to `limit` of the rows. A page of large rows ends early, at `MAX_PAGE_BYTES` or after one row.
 * Its `limit` is then the number of its rows, so that the next page starts at `offset + limit`.
 * @param found up to `limit + 1` rows
 */
export function renderPage<Row, Rendered extends object>(
  request: Omit<PageRequest, 'after'>,
  found: readonly Row[],
  keyOf: (row: Row) => PageKey<Instant | string>,
  render: (row: Row) => Rendered,
): { rows: Rendered[]; page: Page } {
  const rows: Rendered[] = []
  let bytes = 0
  for (const row of found.slice(0, request.limit)) {
    const rendered = render(row)
    bytes += Buffer.byteLength(JSON.stringify(rendered))
    if (bytes > MAX_PAGE_BYTES && rows.length > 0) break
    rows.push(rendered)
  }
  const isCut = rows.length < Math.min(found.length, request.limit)
  const hasMore = isCut || found.length > request.limit
  const last = found[rows.length - 1]
  return {
    rows,
    page: {
      offset: request.offset,
      limit: isCut ? rows.length : request.limit,
      has_more: hasMore,
      next_cursor: hasMore && last !== undefined ? encodeCursor(request.list, keyOf(last)) : null,
    },
  }
}

export function encodeCursor(list: string, key: PageKey<Instant | string>): string {
  return Buffer.from(JSON.stringify([list, key.at.toString(), key.id])).toString('base64url')
}

/** The result goes into SQL, so a forged cursor must fail here. */
function decodeCursor<Value>(
  list: string,
  cursor: string,
  readValue: (text: string) => Value | undefined,
): PageKey<Value> {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (Array.isArray(parts) && parts.length === 3) {
      const [cursorsList, at, id] = parts as unknown[]
      const value = typeof at === 'string' ? readValue(at) : undefined
      if (cursorsList === list && value !== undefined && isId(id)) return { at: value, id }
    }
  } catch {}
  throw platformErrors.invalid_cursor({ param: 'cursor' })
}

/** Of suppressions it is an e-mail address. */
function isId(id: unknown): id is string {
  return typeof id === 'string' && /^[^\p{Cc}\p{Cs}]{1,320}$/u.test(id)
}
