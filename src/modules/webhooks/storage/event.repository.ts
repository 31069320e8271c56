import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { Instant } from '#kernel/clock'
import type { Database } from '#platform/postgres/database'
import { DOCUMENT_COLUMNS, type StoredDocument, withDocuments } from '#platform/events/event-documents'
import { platformErrors } from '#platform/errors'
import { type PageKey, type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { EVENTS } from '../event-types.ts'

export interface EventRow {
  readonly id: string
  readonly type: string
  readonly timestamp: Instant
  readonly sequence: number
  readonly object_id: string
  /** JSON text, passed on as it was written; null when it cannot be read. */
  readonly data: string | null
}

export interface EventSelection {
  readonly objectId: string | undefined
  readonly type: string | undefined
}

/**
 * Events of one business, newest first; one row more than the page holds. Those of an object go by their sequence, in which
 * times and ids never run backwards, and so do their pages (`sequenceKey`): a card may have half a million. Those of all
 * types are merged from the index of each, of which no more is read than the page takes.
 */
export async function listEvents(
  db: Database,
  businessId: string,
  { objectId, type }: EventSelection,
  page: PageRequest,
): Promise<EventRow[]> {
  const statement =
    objectId === undefined
      ? eventsOfTypes(businessId, type === undefined ? EVENT_TYPES : [type], page)
      : eventsOfObject(businessId, objectId, type, page)
  const rows = await db.read<Omit<EventRow, 'data'> & StoredDocument>(businessId, statement)
  return withDocuments(businessId, rows, (query) => db.read(businessId, query))
}

const EVENT_TYPES = Object.keys(EVENTS)
const COLUMNS = sql`id, type, timestamp, sequence, object_id, ${DOCUMENT_COLUMNS}`

/** Each type with its own limit: else row-level security keeps the planner from merging, and it sorts them all. */
function eventsOfTypes(businessId: string, types: readonly string[], page: PageRequest): Sql {
  const mostOfEach = rowsOfPage(
    { ...page, limit: page.offset + page.limit, offset: 0 },
    sql`timestamp`,
    sql`id`,
  )
  const ofEach = types.map(
    (type) => sql`
      (select ${COLUMNS} from events where business_id = ${businessId} and type = ${type} ${mostOfEach})`,
  )
  return sql`
    select * from (${join(ofEach, ' union all ')}) e
     order by timestamp desc, id desc limit ${page.limit + 1} offset ${page.offset}`
}

function eventsOfObject(
  businessId: string,
  objectId: string,
  type: string | undefined,
  { after, limit, offset }: PageRequest,
): Sql {
  const ofType = type === undefined ? empty : sql`and type = ${type}`
  const before = after === undefined ? empty : sql`and sequence < ${sequenceOf(after)}::integer`
  return sql`
    select ${COLUMNS} from events
     where business_id = ${businessId} and object_id = ${objectId} ${ofType} ${before}
     order by sequence desc limit ${limit + 1} offset ${offset}`
}

/** What pages of an object's events go by. */
export function sequenceKey({ timestamp, sequence }: EventRow): PageKey {
  return { at: timestamp, id: String(sequence) }
}

/** Throws 400 for the cursor of another list, or of nobody's. */
function sequenceOf({ id }: PageKey): number {
  if (!/^\d{1,9}$/.test(id)) throw platformErrors.invalid_cursor({ param: 'cursor' })
  return Number(id)
}

/** The event of a delivery `d`, for a lateral join: looked up by its key (see `queue.repository.ts`). */
export function eventOf(businessId: string): Sql {
  return sql`(select type, timestamp, ${DOCUMENT_COLUMNS} from events
               where business_id = ${businessId} and object_id = d.object_id and sequence = d.sequence offset 0)`
}
