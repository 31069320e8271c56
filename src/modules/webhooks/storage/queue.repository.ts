import sql, { type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { extendLeases, isFree, type Lease, leasedTable } from '#platform/jobs/leases'
import type { Tx } from '#platform/postgres/database'
import { type EventDocument, type StoredDocument, withDocuments } from '#platform/events/event-documents'
import { isOneOf, rowsAs } from '#platform/postgres/rows'
import type { Attempt } from '../model/attempt.ts'
import type { DeliveryState } from '../model/delivery.states.ts'
import { eventOfDelivery } from './event.repository.ts'

/**
 * The table `deliveries` as a queue.
 *
 * Statements update rows by `id = any(array(…))` and read events through `offset 0`. Both keep the planner at the
 * primary key. Otherwise it joins from the other side, over all deliveries of the business: 904 ms instead of 2 ms
 * for a batch, with 6,000 deliveries.
 */

const TABLE = leasedTable('deliveries', { key: ['id'] })

export interface NewDelivery {
  readonly id: string
  readonly eventId: string
  readonly objectId: string
  readonly sequence: number
  readonly url: string
  readonly receiver: string
  readonly endpointId: string | null
}

const newDeliveries = rowsAs<NewDelivery>('input', {
  id: ['text', (row) => row.id],
  event_id: ['text', (row) => row.eventId],
  object_id: ['text', (row) => row.objectId],
  sequence: ['integer', (row) => row.sequence],
  url: ['text', (row) => row.url],
  receiver: ['text', (row) => row.receiver],
  endpoint_id: ['text', (row) => row.endpointId],
})

/**
 * Stores deliveries. For each object and endpoint, or URL without one, only the first pending one is due, and the others wait
 * for it. A lock on the last pending one decides whether there is one: a transaction that finishes it has either committed, or
 * waits for the lock and then sees the new deliveries. Locks are taken in the order of ids, as in `recordResults`.
 */
export async function insertDeliveries(
  tx: Tx,
  deliveries: readonly NewDelivery[],
  realNow: Instant,
): Promise<void> {
  await tx.execute(sql`
    with input as (
      select * from ${newDeliveries(deliveries)}
    ), last as (
      select l.id
        from (select distinct object_id, receiver, endpoint_id from input) q,
             lateral (select id from deliveries d
                       where d.business_id = ${tx.businessId} and d.object_id = q.object_id
                         and d.receiver = q.receiver and d.endpoint_id is not distinct from q.endpoint_id
                         and d.state = 'pending' and d.in_order
                       order by d.sequence desc, d.id desc limit 1) l
    ), predecessors as (
      select object_id, receiver, endpoint_id from deliveries
       where business_id = ${tx.businessId} and id = any(array(select id from last))
         and state = 'pending' and in_order
       order by id for share
    )
    insert into deliveries
           (business_id, id, event_id, object_id, sequence, url, receiver, endpoint_id, state, due_at, created_at)
    select ${tx.businessId}, i.id, i.event_id, i.object_id, i.sequence, i.url, i.receiver, i.endpoint_id, 'pending',
           case when row_number() over (partition by i.object_id, i.receiver, i.endpoint_id
                                            order by i.sequence, i.id) = 1
                 and not exists (select from predecessors p
                                  where p.object_id = i.object_id and p.receiver = i.receiver
                                    and p.endpoint_id is not distinct from i.endpoint_id)
                then ${toRfc3339(tx.now)}::timestamptz end,
           ${toRfc3339(realNow)}
      from input i`)
}

/**
 * True when delivery `d` is due and free. While a clock is being advanced only first attempts are made: the whole
 * advance makes a retry due once, and not each of its steps.
 */
function isSendable(tx: Tx, realNow: Instant): Sql {
  const isAdvancing = tx.clockOffsetMs === undefined
  return sql`d.due_at <= ${toRfc3339(tx.now)} and ${isFree(realNow)} and (d.tries = 0 or not ${isAdvancing}::boolean)`
}

/**
 * Bounds how many due deliveries of a receiver a scan reads; it is more than all processes send to one at once.
 * While a clock is being advanced the retries of a dead receiver are skipped, and reading 50,000 of them took 67 ms.
 * A receiver that has more of them gets its new deliveries when the clock runs again.
 */
const MAX_SKIPPED = 2_000

export interface DueReceiver {
  readonly receiver: string
  readonly count: number
  readonly hasMore: boolean
}

interface Scan {
  readonly afterReceiver: string
  readonly steps: number
  readonly max: { readonly perReceiver: number; readonly total: number }
}

/**
 * Finds the receivers after `afterReceiver` that have sendable deliveries, with one look-up for each of at most
 * `steps` receivers. The count keeps the dispatcher from acquiring more slots than there are deliveries. The
 * deliveries are read in the order of the index: with a limit alone the planner reads the table from its start (15 ms
 * with 30,000 deliveries).
 * @returns `next`: the receiver after which to continue, null at the end
 */
export async function findDueReceivers(
  tx: Tx,
  scan: Scan,
  realNow: Instant,
): Promise<{ receivers: DueReceiver[]; next: string | null }> {
  const rows = await tx.query<DueReceiver>(sql`
    with recursive visited (receiver, step) as (
      (select receiver, 1 from deliveries
        where business_id = ${tx.businessId} and due_at is not null and receiver > ${scan.afterReceiver}
        order by receiver, due_at limit 1)
      union all
      select n.receiver, visited.step + 1
        from visited,
             lateral (select d.receiver from deliveries d
                       where d.business_id = ${tx.businessId} and d.due_at is not null
                         and d.receiver > visited.receiver
                       order by d.receiver, d.due_at limit 1) n
       where visited.step < ${scan.steps}::int
    )
    select visited.receiver, due.count, due.count = share.max as "hasMore"
      from visited,
           (select least(${scan.max.perReceiver}::int,
                         1 + ${scan.max.total}::int / greatest(count(*), 1)::int) as max
              from visited) share,
           lateral (select count(*)::int as count
                      from (select from (select due_at, leased_until, tries from deliveries
                                          where business_id = ${tx.businessId}
                                            and receiver = visited.receiver and due_at is not null
                                          order by due_at limit ${MAX_SKIPPED}::int) d
                             where ${isSendable(tx, realNow)} limit share.max) free) due
     order by visited.step`)
  const last = rows.length < scan.steps ? undefined : rows.at(-1)
  return { receivers: rows.filter((row) => row.count > 0), next: last?.receiver ?? null }
}

export interface ClaimedDelivery extends EventDocument {
  readonly id: string
  readonly object_id: string
  readonly url: string
  readonly receiver: string
  readonly in_order: boolean
  readonly tries: number
  readonly event_id: string
  readonly type: string
  readonly timestamp: Instant
  readonly traceparent: string | null
  readonly sequence: number
  readonly endpoint_id: string | null
  readonly endpoint_state: 'active' | 'disabled' | null
  readonly sealed_secret: string | null
  readonly sealed_previous_secret: string | null
  readonly previous_until: Instant | null
}

const countRows = rowsAs<readonly [receiver: string, count: number]>('requested', {
  receiver: ['text', ([receiver]) => receiver],
  count: ['integer', ([, count]) => count],
})

export async function claimDeliveries(
  tx: Tx,
  counts: ReadonlyMap<string, number>,
  lease: Lease,
): Promise<ClaimedDelivery[]> {
  const rows = await tx.query<Omit<ClaimedDelivery, 'data'> & StoredDocument>(sql`
    with claimed as (
      select c.id
        from ${countRows([...counts])},
             lateral (select d.id from deliveries d
                       where d.business_id = ${tx.businessId} and d.receiver = requested.receiver
                         and ${isSendable(tx, lease.from)}
                       order by d.due_at limit requested.count
                         for no key update skip locked) c
    ), leased as (
      update deliveries d set leased_until = ${toRfc3339(lease.until)}, lease_id = ${lease.id}
       where d.business_id = ${tx.businessId} and d.id = any(array(select id from claimed))
      returning d.id, d.object_id, d.sequence, d.url, d.receiver, d.in_order, d.tries, d.event_id, d.endpoint_id
    )
    select d.*, e.*,
           p.state as endpoint_state, p.sealed_secret, p.sealed_previous_secret, p.previous_until
      from leased d
     cross join lateral ${eventOfDelivery(tx.businessId)} e
      left join webhook_endpoints p on p.business_id = ${tx.businessId} and p.id = d.endpoint_id`)
  return withDocuments(tx.businessId, rows, (statement) => tx.query(statement))
}

export interface HeldLease {
  readonly id: string
  readonly leaseId: string
}

/** Returns false if another process has leased the delivery. */
export async function extendDelivery(tx: Tx, { id, leaseId }: HeldLease, until: Instant): Promise<boolean> {
  return (await extendLeases(tx, TABLE, [{ key: id, leaseId }], until)) > 0
}

export interface DeliveryResult extends HeldLease {
  readonly objectId: string
  readonly receiver: string
  readonly endpointId: string | null
  readonly inOrder: boolean
  readonly state: DeliveryState
  readonly attempt: Attempt | null
  readonly retryMs: number | null
}

const resultRows = rowsAs<DeliveryResult>('input', {
  id: ['text', (row) => row.id],
  lease_id: ['text', (row) => row.leaseId],
  state: ['text', (row) => row.state],
  attempt: ['json', (row) => row.attempt && JSON.stringify(row.attempt)],
  retry_ms: ['bigint', (row) => row.retryMs],
})

/** More than the ten of all retries; repetitions by hand have no bound. */
const MAX_ATTEMPTS_KEPT = 30

/**
 * Stores results, except for deliveries that another process has leased in the meantime. Nested loops are off,
 * because the planner cannot know how many results there are and compared all with all (13 ms for 200). Rows are
 * found by the primary key, and so locked in the order of ids.
 * @returns when the first retry is due
 */
export async function recordResults(tx: Tx, results: readonly DeliveryResult[]): Promise<Instant | null> {
  const [, [recorded]] = await Promise.all([
    tx.execute(sql`select set_config('enable_nestloop', 'off', true)`),
    tx.query<{ due_at: Instant | null }>(sql`
      with input as (
        select id, lease_id, state, attempt::jsonb, retry_ms from ${resultRows(results)}
      ), recorded as (
        update deliveries d
           set state = input.state,
               attempts = case when input.attempt is null then d.attempts
                               when jsonb_array_length(d.attempts) < ${MAX_ATTEMPTS_KEPT}::int
                               then d.attempts || input.attempt
                               else d.attempts - 0 || input.attempt end,
               tries = case when input.attempt is null then d.tries else d.tries + 1 end,
               due_at = case when input.state = 'pending'
                             then ${toRfc3339(tx.now)}::timestamptz + input.retry_ms * interval '1 millisecond' end,
               leased_until = null, lease_id = null
          from input
         where d.business_id = ${tx.businessId} and d.id = any(array(select id from input))
           and input.id = d.id and input.lease_id = d.lease_id
        returning d.due_at
      )
      select min(due_at) as due_at from recorded`),
  ])
  return recorded?.due_at ?? null
}

type FinishedDelivery = Pick<DeliveryResult, 'objectId' | 'receiver' | 'endpointId'>

const finishedRows = rowsAs<FinishedDelivery>('input', {
  object_id: ['text', (row) => row.objectId],
  receiver: ['text', (row) => row.receiver],
  endpoint_id: ['text', (row) => row.endpointId],
})

/**
 * Makes the deliveries due that waited for these. This is a statement of its own after `recordResults`, so that it
 * sees deliveries that were inserted while the finished ones were locked. It also makes the first delivery of the
 * other endpoints of the URL due, because the previous version made the deliveries of one endpoint wait for those of
 * another.
 */
export function makeNextDue(tx: Tx, finished: readonly FinishedDelivery[]): Promise<number> {
  return tx.execute(sql`
    update deliveries d set due_at = ${toRfc3339(tx.now)}
     where d.business_id = ${tx.businessId} and d.due_at is null
       and d.id = any(array(
           select n.id
             from (select distinct object_id, receiver, endpoint_id from ${finishedRows(finished)}) f,
                  lateral (
                    (select w.id, w.due_at from deliveries w
                      where w.business_id = ${tx.businessId} and w.object_id = f.object_id
                        and w.receiver = f.receiver and w.endpoint_id is not distinct from f.endpoint_id
                        and w.state = 'pending' and w.in_order
                      order by w.sequence, w.id limit 1)
                    union all
                    (select w.id, w.due_at from deliveries w
                      where w.business_id = ${tx.businessId} and w.object_id = f.object_id
                        and w.receiver = f.receiver and w.state = 'pending' and w.in_order
                      order by w.sequence, w.id limit 1)) n
            where n.due_at is null))`)
}

export interface EndpointReceiver {
  readonly endpointId: string
  readonly receiver: string
}

const endpointRows = rowsAs<EndpointReceiver>('closed', {
  endpoint_id: ['text', (row) => row.endpointId],
  receiver: ['text', (row) => row.receiver],
})

/**
 * The bound for each receiver. A dead one may have 300,000 retries, more than a transaction can update in its time
 * limit.
 */
const MAX_EXPEDITED = 200

/**
 * Makes the first retries at closed endpoints due now, so that they are exhausted and later events of their objects
 * go out. Recording their results expedites the next ones. Leased deliveries come first in the order of due times and
 * so are locked too: their results are recorded before this transaction, or see that the endpoint is closed. Locks
 * are taken in the order of ids, as in `recordResults`.
 */
export async function expediteRetries(tx: Tx, closed: readonly EndpointReceiver[]): Promise<number> {
  const first = await tx.query<{ id: string }>(sql`
    select id from deliveries
     where business_id = ${tx.businessId} and due_at is not null
       and id = any(array(
           select first.id
             from ${endpointRows(closed)},
                  lateral (select w.id from deliveries w
                            where w.business_id = ${tx.businessId} and w.receiver = closed.receiver
                              and w.endpoint_id = closed.endpoint_id and w.due_at is not null
                            order by w.due_at limit ${MAX_EXPEDITED}) first))
     order by id for no key update`)
  if (first.length === 0) return 0
  const ids = first.map(({ id }) => id)
  return tx.execute(sql`
    update deliveries set due_at = ${toRfc3339(tx.now)}
     where business_id = ${tx.businessId} and ${isOneOf(sql`id`, ids)} and due_at > ${toRfc3339(tx.now)}`)
}

export interface NextDue {
  readonly due_at: Instant | null
  readonly leased_until: Instant | null
}

/**
 * Leased deliveries were due when they were leased, and so come before the first that is not due yet. Rows are read in
 * the order of the index. If few rows are usually due, the planner would sort all of them (27 ms with 15,000).
 */
export async function nextDue(tx: Tx, maxRows: number, realNow: Instant): Promise<NextDue> {
  const [, [next]] = await Promise.all([
    tx.execute(
      sql`select set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true)`,
    ),
    tx.query<NextDue>(sql`
      select min(due_at) filter (where ${isFree(realNow)}) as due_at,
             min(leased_until) filter (where not ${isFree(realNow)}) as leased_until
        from (select due_at, leased_until from deliveries
               where business_id = ${tx.businessId} and due_at is not null
               order by due_at limit ${maxRows}::int) as d`),
  ])
  return next ?? { due_at: null, leased_until: null }
}
