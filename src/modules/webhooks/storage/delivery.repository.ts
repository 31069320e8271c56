import sql, { empty, type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { FilterFields } from '#platform/filter/filter-sql'
import type { Database, Tx } from '#platform/postgres/database'
import { type EventDocument, type StoredDocument, withDocuments } from '#platform/events/event-documents'
import type { PageRequest } from '#platform/http/validation/list'
import { isOneOf } from '#platform/postgres/rows'
import { DELIVERY_STATES, type DeliveryState } from '../model/delivery.states.ts'
import type { EventType } from '../model/event-types.ts'
import { eventOfDelivery } from './event.repository.ts'

export interface DeliveryRow {
  readonly id: string
  readonly event_id: string
  readonly object_id: string
  readonly sequence: number
  readonly url: string
  readonly endpoint_id: string | null
  readonly state: DeliveryState
  readonly attempts: string
  readonly due_at: Instant | null
  readonly created_at: Instant
}

export const DELIVERY_FIELDS: FilterFields = {
  id: { type: 'text', column: sql`d.id` },
  state: { type: 'enum', column: sql`d.state`, values: DELIVERY_STATES },
  event_id: { type: 'text', column: sql`d.event_id` },
  endpoint_id: { type: 'text', column: sql`d.endpoint_id` },
  object_id: { type: 'text', column: sql`d.object_id` },
  created_at: { type: 'time', column: sql`d.created_at` },
}

export interface DeliveryFilter {
  readonly eventId: string | undefined
  readonly state: DeliveryState | undefined
  /** Refers to the row `d`. */
  readonly condition: Sql | undefined
}

/** The request of a delivery is rendered from its event and not stored. */
export interface DeliveryWithEvent extends DeliveryRow, EventDocument {
  readonly type: EventType
  readonly timestamp: Instant
}

type StoredDelivery = Omit<DeliveryWithEvent, 'data'> & StoredDocument

const COLUMNS = sql`id, event_id, object_id, sequence, url, endpoint_id, state, attempts, due_at, created_at`

export async function listDeliveries(
  db: Database,
  businessId: string,
  filter: DeliveryFilter,
  page: PageRequest,
): Promise<DeliveryWithEvent[]> {
  const ofEvent = filter.eventId === undefined ? empty : sql`and event_id = ${filter.eventId}`
  const inState = filter.state === undefined ? empty : sql`and state = ${filter.state}`
  const after = page.after === undefined ? empty : sql`and id < ${page.after.id}`
  const filtered = filter.condition === undefined ? empty : sql`and ${filter.condition}`
  const statement = sql`
    select d.*, e.*
      from (select ${COLUMNS} from deliveries d
             where business_id = ${businessId} ${ofEvent} ${inState} ${filtered} ${after}
             order by id desc
             limit ${page.limit + 1} offset ${page.offset}) d
     cross join lateral ${eventOfDelivery(businessId)} e
     order by d.id desc`
  if (filter.condition === undefined) {
    const rows = await db.read<StoredDelivery>(businessId, statement)
    return withDocuments(businessId, rows, (query) => db.read(businessId, query))
  }
  return db.transact(
    businessId,
    async (tx) =>
      withDocuments(businessId, await tx.query<StoredDelivery>(statement), (query) => tx.query(query)),
    { isSearch: true },
  )
}

export async function selectDeliveries(
  db: Database,
  businessId: string,
  condition: Sql,
  { after, limit }: Pick<PageRequest, 'after' | 'limit'>,
): Promise<{ readonly id: string; readonly created_at: Instant }[]> {
  const before = after === undefined ? empty : sql`and d.id < ${after.id}`
  return db.transact(
    businessId,
    (tx) =>
      tx.query(sql`
        select d.id, d.created_at from deliveries d
         where d.business_id = ${businessId} and ${condition} ${before}
         order by d.id desc limit ${limit + 1}`),
    { isSearch: true },
  )
}

export interface DeliveryOfEvent {
  readonly id: string
  readonly eventId: string
  readonly endpointId: string | null
  readonly state: DeliveryState
  /** Of the last attempt; null before the first, and when the receiver did not respond. */
  readonly responseStatus: number | null
}

export function deliveriesOfEvents(tx: Tx, eventIds: readonly string[]): Promise<DeliveryOfEvent[]> {
  return tx.query<DeliveryOfEvent>(sql`
    select id, event_id as "eventId", endpoint_id as "endpointId", state,
           (attempts -> -1 ->> 'status')::integer as "responseStatus"
      from deliveries
     where business_id = ${tx.businessId} and ${isOneOf(sql`event_id`, eventIds)}
     order by id`)
}

export async function lockDelivery(tx: Tx, id: string): Promise<DeliveryRow | undefined> {
  const [row] = await tx.query<DeliveryRow>(sql`
    select ${COLUMNS} from deliveries where business_id = ${tx.businessId} and id = ${id} for no key update`)
  return row
}

/**
 * A finished delivery starts a new round of attempts outside the order: it neither waits for other events of its
 * object nor delays them. A pending delivery keeps its place, and one that waits for an earlier event keeps waiting.
 */
export async function makeDueNow(tx: Tx, delivery: DeliveryRow): Promise<DeliveryWithEvent> {
  const isFinished = delivery.state !== 'pending'
  const rows = await tx.query<StoredDelivery>(sql`
    with d as (
    update deliveries
       set state = 'pending',
           in_order = case when ${isFinished}::boolean then false else in_order end,
           tries = case when ${isFinished}::boolean then 0 else tries end,
           due_at = case when ${isFinished}::boolean or due_at is not null then least(due_at, ${toRfc3339(tx.now)}) end
     where business_id = ${tx.businessId} and id = ${delivery.id}
    returning ${COLUMNS}
    )
    select d.*, e.* from d cross join lateral ${eventOfDelivery(tx.businessId)} e`)
  const [row] = await withDocuments(tx.businessId, rows, (statement) => tx.query(statement))
  if (row === undefined) throw new Error('a locked delivery has disappeared')
  return row
}

export async function oldestFinishedCreatedAt(tx: Tx): Promise<Instant | undefined> {
  const [oldest] = await tx.query<{ created_at: Instant }>(sql`
    select created_at from deliveries
     where business_id = ${tx.businessId} and state <> 'pending' order by id limit 1`)
  return oldest?.created_at
}

/**
 * Deletes up to `max` finished deliveries, oldest first. It reads only the oldest `max`: a condition on the age alone
 * read a million rows to find a few. The outer condition on the state is checked again after waiting for a row's
 * lock, and so spares a delivery that was redelivered meanwhile.
 */
export function purgeFinished(tx: Tx, createdBefore: Instant, max: number): Promise<number> {
  return tx.execute(sql`
    delete from deliveries
     where business_id = ${tx.businessId} and state <> 'pending' and id = any(array(
           select id from (
                  select id, created_at from deliveries
                   where business_id = ${tx.businessId} and state <> 'pending'
                   order by id limit ${max}) oldest
            where created_at <= ${toRfc3339(createdBefore)}))`)
}
