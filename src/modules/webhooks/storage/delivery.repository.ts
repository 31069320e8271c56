import sql, { empty } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Database, Tx } from '#platform/postgres/database'
import { type EventDocument, type StoredDocument, withDocuments } from '#platform/events/event-documents'
import type { PageRequest } from '#platform/http/validation/list'
import type { DeliveryState } from '../delivery/delivery.states.ts'
import { eventOf } from './event.repository.ts'

/** The record side of the table `deliveries`: what callers see of it, and how long it is kept. */

export interface DeliveryRow {
  readonly id: string
  readonly event_id: string
  readonly object_id: string
  readonly sequence: number
  readonly url: string
  readonly endpoint_id: string | null
  readonly state: DeliveryState
  /** JSON text. */
  readonly attempts: string
  readonly due_at: Instant | null
  readonly made_at: Instant
}

export interface DeliverySelection {
  readonly eventId: string | undefined
  readonly state: DeliveryState | undefined
}

/** A delivery with the event that it carries: what was sent is derived from it, and not stored a second time. */
export interface DeliveryOfEvent extends DeliveryRow, EventDocument {
  readonly type: string
  readonly timestamp: Instant
}

type WithStoredDocument = Omit<DeliveryOfEvent, 'data'> & StoredDocument

const COLUMNS = sql`id, event_id, object_id, sequence, url, endpoint_id, state, attempts, due_at, made_at`

/** Deliveries of one business, newest first; one row more than the page holds. Ids sort by time of making. */
export async function listDeliveries(
  db: Database,
  businessId: string,
  selection: DeliverySelection,
  page: PageRequest,
): Promise<DeliveryOfEvent[]> {
  const ofEvent = selection.eventId === undefined ? empty : sql`and event_id = ${selection.eventId}`
  const inState = selection.state === undefined ? empty : sql`and state = ${selection.state}`
  const after = page.after === undefined ? empty : sql`and id < ${page.after.id}`
  const rows = await db.read<WithStoredDocument>(
    businessId,
    sql`select d.*, e.*
          from (select ${COLUMNS} from deliveries
                 where business_id = ${businessId} ${ofEvent} ${inState} ${after}
                 order by id desc
                 limit ${page.limit + 1} offset ${page.offset}) d
         cross join lateral ${eventOf(businessId)} e
         order by d.id desc`,
  )
  return withDocuments(businessId, rows, (statement) => db.read(businessId, statement))
}

/** Locks a delivery, so that it is asked for again once. */
export async function lockDelivery(tx: Tx, id: string): Promise<DeliveryRow | undefined> {
  const [row] = await tx.query<DeliveryRow>(sql`
    select ${COLUMNS} from deliveries where business_id = ${tx.businessId} and id = ${id} for no key update`)
  return row
}

/**
 * Makes a delivery due now. One that was done begins a new round, out of the order: it neither waits
 * for other events of its object nor holds them up. One that waits for an earlier event goes on waiting.
 */
export async function dueAgain(tx: Tx, delivery: DeliveryRow): Promise<DeliveryOfEvent> {
  const isDone = delivery.state !== 'pending'
  const rows = await tx.query<WithStoredDocument>(sql`
    with d as (
    update deliveries
       set state = 'pending',
           in_order = case when ${isDone}::boolean then false else in_order end,
           tries = case when ${isDone}::boolean then 0 else tries end,
           due_at = case when ${isDone}::boolean or due_at is not null then least(due_at, ${toRfc3339(tx.now)}) end
     where business_id = ${tx.businessId} and id = ${delivery.id}
    returning ${COLUMNS}
    )
    select d.*, e.* from d cross join lateral ${eventOf(tx.businessId)} e`)
  const [row] = await withDocuments(tx.businessId, rows, (statement) => tx.query(statement))
  if (row === undefined) throw new Error('a locked delivery is gone')
  return row
}

/** When the oldest delivery that is done was made, on the real clock. */
export async function oldestFinishedMadeAt(tx: Tx): Promise<Instant | undefined> {
  const [oldest] = await tx.query<{ made_at: Instant }>(sql`
    select made_at from deliveries
     where business_id = ${tx.businessId} and state <> 'pending' order by id limit 1`)
  return oldest?.made_at
}

/**
 * Deletes up to `most` deliveries that are done and were made before, oldest first. What is asked for again while this waits
 * for its row stays: only the outer condition is looked at anew then. The oldest are looked at and no others: what is not
 * old enough stands behind them, and of a million it was all read for the few that are.
 */
export function purgeFinished(tx: Tx, madeBefore: Instant, most: number): Promise<number> {
  return tx.execute(sql`
    delete from deliveries
     where business_id = ${tx.businessId} and state <> 'pending' and id = any(array(
           select id from (
                  select id, made_at from deliveries
                   where business_id = ${tx.businessId} and state <> 'pending'
                   order by id limit ${most}) oldest
            where made_at <= ${toRfc3339(madeBefore)}))`)
}
