import sql, { empty, type Sql } from 'sql-template-tag'
import Type, { type TProperties } from 'typebox'
import type { Instant } from '#kernel/clock'
import { parseInstant } from '#kernel/time-text'
import type { FilterFields } from '#platform/filter/filter-sql'
import { platformErrors } from '#platform/errors'
import { Nullable, Resource, strictObject, Text } from '#platform/http/validation/schemas'

/**
 * Lists (decisions, section 1): newest first, ties by id, paged by offset or, at any depth for the
 * same cost, by cursor.
 */

const DEFAULT_LIMIT = 20
/** A larger `limit` is read as this. */
const MAX_LIMIT = 100
/** Beyond it the database would skip ever more rows for each page. */
const MAX_OFFSET = 10_000
/** What fits a request. That a filter has at most 1,000 characters is said with the position, as all that is wrong with one. */
const MAX_FILTER_LENGTH = 16_000
const MAX_CURSOR_LENGTH = 512
/** Of the rows of one answer, as JSON. A larger single row is answered alone. */
export const MAX_PAGE_BYTES = 1024 * 1024

const PAGING = {
  offset: Type.Optional(
    Type.Integer({ minimum: 0, description: `Rows to skip, at most ${MAX_OFFSET}. Default 0.` }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: `Rows of a page, default ${DEFAULT_LIMIT}, at most ${MAX_LIMIT}.`,
    }),
  ),
  cursor: Type.Optional(Text({ max: MAX_CURSOR_LENGTH, description: 'next_cursor of the page before.' })),
}

/** The query of a list: offset, limit, cursor and what the list takes beside them. */
export function listQuery<Extra extends TProperties>(extra: Extra) {
  return strictObject({ ...extra, ...PAGING })
}

/** The query of a list that takes nothing else. */
export const ListQuery = listQuery({})

/** The query of a list that may be filtered; the grammar is `#platform/filter`. An empty filter matches everything. */
export function filteredListQuery(fields: FilterFields) {
  const names = Object.keys(fields).map((name) => `\`${name}\``)
  const description = `AIP-160 filter, at most 1,000 characters. Fields: ${names.join(', ')}.`
  return listQuery({ filter: Type.Optional(Text({ min: 0, max: MAX_FILTER_LENGTH, description })) })
}

/** `page` of an answer. `next_cursor` is null on the last page. */
export const PageSchema = Resource('Page', {
  offset: Type.Integer(),
  limit: Type.Integer({
    description:
      'Rows of the page at most. A page of large rows has fewer than asked for: the next one starts at offset + limit.',
  }),
  has_more: Type.Boolean(),
  next_cursor: Nullable(Type.String()),
})

/** What a list is ordered by: the moment of making, and the id where moments are equal. */
export interface PageKey {
  readonly at: Instant
  readonly id: string
}

/** What a list asks its repository for: rows after `after` when there is one, else after `offset` rows (`rowsOfPage`). */
export interface PageRequest {
  /** The list's name, so that a cursor of one list is refused by another. */
  readonly list: string
  /** 0 where there is an `after`. */
  readonly offset: number
  /** Rows of the page. Ask for `limit + 1`: `renderPage` sees by the last whether there are more. */
  readonly limit: number
  readonly after: PageKey | undefined
}

/**
 * The end of the statement that reads a page's rows: those after its key, newest first, one more than it holds.
 * @param at the column of the moment, @param id that of the id; the condition before it is joined by `and`
 */
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

interface PagingQuery {
  readonly offset?: number | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/**
 * Reads the paging of a query that `listQuery` has checked.
 * Throws `offset_too_deep`, `invalid_cursor`, and `invalid_query_value` for a cursor with an offset.
 */
export function readPage(list: string, query: PagingQuery): PageRequest {
  const offset = query.offset ?? 0
  if (offset > MAX_OFFSET) throw platformErrors.offset_too_deep({ param: 'offset' })
  if (query.cursor !== undefined && offset > 0) {
    throw platformErrors.invalid_query_value({
      param: 'offset',
      message: 'offset must not be sent with cursor.',
    })
  }
  return {
    list,
    offset,
    limit: Math.min(query.limit ?? DEFAULT_LIMIT, MAX_LIMIT),
    after: query.cursor === undefined ? undefined : decodeCursor(list, query.cursor),
  }
}

/**
 * Renders the rows of a page, and describes the page. A page of large rows ends early: it holds `MAX_PAGE_BYTES` or one
 * row, and its `limit` is the number of its rows, so that `offset + limit` is where the next page starts.
 * @param found up to `limit + 1` rows
 */
export function renderPage<Row, Rendered extends object>(
  request: PageRequest,
  found: readonly Row[],
  keyOf: (row: Row) => PageKey,
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

/** The sort key of the page's last row. Opaque to callers, so that it may change. */
function encodeCursor(list: string, key: PageKey): string {
  return Buffer.from(JSON.stringify([list, key.at.toString(), key.id])).toString('base64url')
}

/** Whatever passes may go into SQL: a forged cursor is a 400, never a database error. */
function decodeCursor(list: string, cursor: string): PageKey {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (Array.isArray(parts) && parts.length === 3) {
      const [cursorsList, at, id] = parts as unknown[]
      const instant = typeof at === 'string' ? parseInstant(at) : undefined
      if (cursorsList === list && instant !== undefined && isId(id)) return { at: instant, id }
    }
  } catch {
    // No JSON.
  }
  throw platformErrors.invalid_cursor({ param: 'cursor' })
}

function isId(id: unknown): id is string {
  return typeof id === 'string' && /^[A-Za-z0-9_.-]{1,128}$/.test(id)
}
