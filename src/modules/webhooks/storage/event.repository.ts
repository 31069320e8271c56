import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { Instant } from '#kernel/clock'
import type { Database } from '#platform/postgres/database'
import {
  DOCUMENT_COLUMNS,
  type EventDocument,
  type StoredDocument,
  withDocuments,
} from '#platform/events/event-documents'
import { platformErrors } from '#platform/errors'
import { MAX_PAGE_BYTES, type PageKey, type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { EVENTS, type EventType } from '../model/event-types.ts'

export interface EventRow extends EventDocument {
  readonly id: string
  readonly type: EventType
  readonly timestamp: Instant
  readonly sequence: number
  readonly object_id: string
}

export interface EventFilter {
  readonly objectId: string | undefined
  readonly type: string | undefined
}

/**
 * Newest first, with one row more than the page holds. The events of one object are ordered and paged by their
 * sequence: a card may have half a million. The list of all types merges the index of each type, and reads no more of
 * it than the page holds.
 */
export async function listEvents(
  db: Database,
  businessId: string,
  { objectId, type }: EventFilter,
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

/**
 * Reads the documents of a page's rows only until they exceed `MAX_PAGE_BYTES`: a hundred documents may have 50 MB. The
 * other rows are not on the page.
 */
function withinPageBytes(rows: Sql, order: Sql): Sql {
  return sql`
    select id, type, timestamp, sequence, object_id, bundle_id, place,
           case when sum(octet_length(data::text)) over before > ${MAX_PAGE_BYTES} then null else data end as data
      from (${rows}) page
    window before as (order by ${order} rows between unbounded preceding and 1 preceding)
     order by ${order}`
}

/**
 * Each type has a limit of its own. Otherwise row-level security keeps the planner from merging, and it sorts all
 * events.
 */
function eventsOfTypes(businessId: string, types: readonly string[], page: PageRequest): Sql {
  const newestOfType = rowsOfPage(
    { ...page, limit: page.offset + page.limit, offset: 0 },
    sql`timestamp`,
    sql`id`,
  )
  const perType = types.map(
    (type) => sql`
      (select ${COLUMNS} from events where business_id = ${businessId} and type = ${type} ${newestOfType})`,
  )
  const order = sql`timestamp desc, id desc`
  return withinPageBytes(
    sql`select * from (${join(perType, ' union all ')}) e
         order by ${order} limit ${page.limit + 1} offset ${page.offset}`,
    order,
  )
}

function eventsOfObject(
  businessId: string,
  objectId: string,
  type: string | undefined,
  { after, limit, offset }: PageRequest,
): Sql {
  const ofType = type === undefined ? empty : sql`and type = ${type}`
  const before = after === undefined ? empty : sql`and sequence < ${sequenceOf(after)}::integer`
  return withinPageBytes(
    sql`select ${COLUMNS} from events
         where business_id = ${businessId} and object_id = ${objectId} ${ofType} ${before}
         order by sequence desc limit ${limit + 1} offset ${offset}`,
    sql`sequence desc`,
  )
}

/** Ids begin with the time at which a process made them, and the clocks of processes differ by a little. */
const MAX_DISORDER = 1_000

/**
 * Finds an event by a binary search, because events have no index of their ids (docs/decisions/0013-event-indexes.md). Among the
 * events of an object, ids rise with the sequence, save that two may be up to `MAX_DISORDER` places out of order.
 */
export async function findEvent(
  db: Database,
  businessId: string,
  objectId: string,
  id: string,
): Promise<EventRow | undefined> {
  const ofObject = sql`business_id = ${businessId} and object_id = ${objectId}`
  const rows = await db.read<Omit<EventRow, 'data'> & StoredDocument>(
    businessId,
    sql`
      with recursive range(low, high) as (
        (select 1, sequence from events where ${ofObject} order by sequence desc limit 1)
        union all
        select case when middle.id < ${id} then middle.sequence else low end,
               case when middle.id < ${id} then high else middle.sequence end
          from range
         cross join lateral (select id, sequence from events
                              where ${ofObject} and sequence = (low + high) / 2 offset 0) middle
         where high - low > 1)
      select ${COLUMNS} from events
       where ${ofObject} and id = ${id}
         and sequence between (select max(low) from range) - ${MAX_DISORDER}::integer
                          and (select min(high) from range) + ${MAX_DISORDER}::integer`,
  )
  const [event] = await withDocuments(businessId, rows, (query) => db.read(businessId, query))
  return event
}

export function sequenceKey({ timestamp, sequence }: EventRow): PageKey {
  return { at: timestamp, id: String(sequence) }
}

function sequenceOf({ id }: PageKey): number {
  if (!/^\d{1,9}$/.test(id)) throw platformErrors.invalid_cursor({ param: 'cursor' })
  return Number(id)
}

export function eventOfDelivery(businessId: string): Sql {
  return sql`(select type, timestamp, traceparent, ${DOCUMENT_COLUMNS} from events
               where business_id = ${businessId} and object_id = d.object_id and sequence = d.sequence offset 0)`
}
