import sql, { type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { type EventDocument, type StoredDocument, withDocuments } from '#platform/events/event-documents'
import { isOneOf, rowsAs } from '#platform/postgres/rows'
import type { Attempt } from '../delivery/delivery.ts'
import type { DeliveryState } from '../delivery/delivery.states.ts'
import { eventOf } from './event.repository.ts'

/**
 * The queue side of the table `deliveries`: what is to be sent, who is at it, what came of it.
 *
 * Rows are updated by `id = any(array(…))` and events read through `offset 0`: both keep the planner at the primary key.
 * Left alone it joins from the other side, over all deliveries of the business (904 ms instead of 2 for a batch, at
 * 6,000 deliveries).
 */

export interface NewDelivery {
  readonly id: string
  readonly eventId: string
  readonly objectId: string
  readonly sequence: number
  readonly url: string
  readonly lane: string
  readonly endpointId: string | null
}

const newDeliveries = rowsAs<NewDelivery>('given', {
  id: ['text', (one) => one.id],
  event_id: ['text', (one) => one.eventId],
  object_id: ['text', (one) => one.objectId],
  sequence: ['integer', (one) => one.sequence],
  url: ['text', (one) => one.url],
  lane: ['text', (one) => one.lane],
  endpoint_id: ['text', (one) => one.endpointId],
})

/**
 * Stores deliveries. Per object and receiver only the first that is not done is due; the others wait
 * for it. Whether there is one already is read under a lock on the last of them: whoever finishes that
 * one either has committed, or waits and then sees what is written here. Locks are taken in the order
 * of ids, as `recordOutcomes` does.
 */
export async function insertDeliveries(
  tx: Tx,
  deliveries: readonly NewDelivery[],
  realNow: Instant,
): Promise<void> {
  await tx.execute(sql`
    with given as (
      select * from ${newDeliveries(deliveries)}
    ), last as (
      select l.id
        from (select distinct object_id, lane from given) q,
             lateral (select id from deliveries d
                       where d.business_id = ${tx.businessId} and d.object_id = q.object_id and d.lane = q.lane
                         and d.state = 'pending' and d.in_order
                       order by d.sequence desc, d.id desc limit 1) l
    ), waited_for as (
      select object_id, lane from deliveries
       where business_id = ${tx.businessId} and id = any(array(select id from last))
         and state = 'pending' and in_order
       order by id for share
    )
    insert into deliveries
           (business_id, id, event_id, object_id, sequence, url, lane, endpoint_id, state, due_at, made_at)
    select ${tx.businessId}, g.id, g.event_id, g.object_id, g.sequence, g.url, g.lane, g.endpoint_id, 'pending',
           case when row_number() over (partition by g.object_id, g.lane order by g.sequence, g.id) = 1
                 and not exists (select from waited_for w where w.object_id = g.object_id and w.lane = g.lane)
                then ${toRfc3339(tx.now)}::timestamptz end,
           ${toRfc3339(realNow)}
      from given g`)
}

/** Whether nobody is at a delivery `d`: a lease that is over is none. */
function isFree(realNow: Instant): Sql {
  return sql`(d.leased_until is null or d.leased_until < ${toRfc3339(realNow)})`
}

/**
 * Whether a delivery `d` is due and nobody is at it. While the clock is being advanced only first attempts are made: a retry
 * becomes due once by the move, not once by each of its steps.
 */
function canBeSent(tx: Tx, realNow: Instant): Sql {
  const isAdvancing = tx.clockOffsetMs === undefined
  return sql`d.due_at <= ${toRfc3339(tx.now)} and ${isFree(realNow)} and (d.tries = 0 or not ${isAdvancing}::boolean)`
}

/**
 * Due deliveries of a receiver that a look passes over at most: more than processes have under way to one. Retries that an
 * advance leaves alone may be hundreds of thousands, and were all passed over at each of its looks (67 ms at 50,000): a
 * receiver that owes so many gets what is new once the clock runs again.
 */
const MAX_PASSED_OVER = 2_000

/** A receiver, and how many deliveries it could be sent now. */
export interface DueLane {
  readonly lane: string
  readonly count: number
  /** There may be more of them than were counted. */
  readonly isMore: boolean
}

interface Walk {
  readonly afterLane: string
  readonly steps: number
  /** Deliveries that are counted of a receiver, and about how many of all together. */
  readonly most: { readonly ofEach: number; readonly ofAll: number }
}

/**
 * The receivers that have something due that nobody is at, walking from `afterLane` over at most `steps`
 * receivers with one look-up each. They are counted, so that places are taken for what is there only:
 * a receiver with one delivery must not take those of sixty-three others. Counted in the order of the index: with a limit
 * alone the planner reads the table from its start, over all that was delivered before (15 ms at 30,000 deliveries).
 * @returns `next`: where to go on, null at the end
 */
export async function dueLanes(
  tx: Tx,
  walk: Walk,
  realNow: Instant,
): Promise<{ lanes: DueLane[]; next: string | null }> {
  const rows = await tx.query<DueLane>(sql`
    with recursive walked (lane, step) as (
      (select lane, 1 from deliveries
        where business_id = ${tx.businessId} and due_at is not null and lane > ${walk.afterLane}
        order by lane, due_at limit 1)
      union all
      select n.lane, walked.step + 1
        from walked,
             lateral (select d.lane from deliveries d
                       where d.business_id = ${tx.businessId} and d.due_at is not null and d.lane > walked.lane
                       order by d.lane, d.due_at limit 1) n
       where walked.step < ${walk.steps}::int
    )
    select walked.lane, due.count, due.count = share.most as "isMore"
      from walked,
           (select least(${walk.most.ofEach}::int, 1 + ${walk.most.ofAll}::int / greatest(count(*), 1)::int) as most from walked) share,
           lateral (select count(*)::int as count
                      from (select from (select due_at, leased_until, tries from deliveries
                                          where business_id = ${tx.businessId} and lane = walked.lane and due_at is not null
                                          order by due_at limit ${MAX_PASSED_OVER}::int) d
                             where ${canBeSent(tx, realNow)} limit share.most) free) due
     order by walked.step`)
  const last = rows.length < walk.steps ? undefined : rows.at(-1)
  return { lanes: rows.filter((row) => row.count > 0), next: last?.lane ?? null }
}

export interface Lease {
  readonly id: string
  readonly until: Instant
}

/** A delivery that this process is to send, with all that it takes. */
export interface ClaimedDelivery extends EventDocument {
  readonly id: string
  readonly object_id: string
  readonly url: string
  readonly lane: string
  readonly in_order: boolean
  readonly tries: number
  readonly event_id: string
  readonly type: string
  readonly timestamp: Instant
  readonly sequence: number
  readonly endpoint_id: string | null
  /** Null when the endpoint was deleted. */
  readonly endpoint_state: 'active' | 'disabled' | null
  readonly sealed_secret: string | null
  readonly sealed_previous_secret: string | null
  readonly previous_until: Instant | null
}

const wantedRows = rowsAs<readonly [lane: string, count: number]>('wanted', {
  lane: ['text', ([lane]) => lane],
  count: ['integer', ([, count]) => count],
})

/** Leases what can be sent, `count` at most for each lane, earliest first. */
export async function claimDeliveries(
  tx: Tx,
  wanted: ReadonlyMap<string, number>,
  lease: Lease,
  realNow: Instant,
): Promise<ClaimedDelivery[]> {
  const rows = await tx.query<Omit<ClaimedDelivery, 'data'> & StoredDocument>(sql`
    with claimed as (
      select c.id
        from ${wantedRows([...wanted])},
             lateral (select d.id from deliveries d
                       where d.business_id = ${tx.businessId} and d.lane = wanted.lane
                         and ${canBeSent(tx, realNow)}
                       order by d.due_at limit wanted.count
                         for no key update skip locked) c
    ), leased as (
      update deliveries d set leased_until = ${toRfc3339(lease.until)}, lease_id = ${lease.id}
       where d.business_id = ${tx.businessId} and d.id = any(array(select id from claimed))
      returning d.id, d.object_id, d.sequence, d.url, d.lane, d.in_order, d.tries, d.event_id, d.endpoint_id
    )
    select d.*, e.*,
           p.state as endpoint_state, p.sealed_secret, p.sealed_previous_secret, p.previous_until
      from leased d
     cross join lateral ${eventOf(tx.businessId)} e
      left join webhook_endpoints p on p.business_id = ${tx.businessId} and p.id = d.endpoint_id`)
  return withDocuments(tx.businessId, rows, (statement) => tx.query(statement))
}

interface HeldLease {
  readonly id: string
  readonly leaseId: string
}

const heldLeases = rowsAs<HeldLease>('given', {
  id: ['text', (one) => one.id],
  lease_id: ['text', (one) => one.leaseId],
})

/** Whoever is slow to answer keeps its lease until its time is over. */
export async function extendLeases(tx: Tx, leases: readonly HeldLease[], until: Instant): Promise<void> {
  await tx.execute(sql`
    update deliveries d set leased_until = ${toRfc3339(until)}
      from ${heldLeases(leases)}
     where d.business_id = ${tx.businessId} and d.id = given.id and d.lease_id = given.lease_id`)
}

/** What came of a delivery that this process leased. */
export interface Outcome extends HeldLease {
  readonly objectId: string
  readonly lane: string
  readonly inOrder: boolean
  readonly state: DeliveryState
  /** Null when nothing was sent: the receiver is gone, or the attempt was called off. */
  readonly attempt: Attempt | null
  /** Milliseconds to the next attempt; null when there is none. */
  readonly retryMs: number | null
}

const outcomeRows = rowsAs<Outcome>('given', {
  id: ['text', (one) => one.id],
  lease_id: ['text', (one) => one.leaseId],
  state: ['text', (one) => one.state],
  attempt: ['json', (one) => one.attempt && JSON.stringify(one.attempt)],
  retry_ms: ['bigint', (one) => one.retryMs],
})

/** The attempts of a delivery that are kept: more than two rounds of them. */
const MAX_ATTEMPTS_KEPT = 30

/**
 * Stores outcomes; answers when the first of what is tried again is due. What another process has leased in the
 * meantime is left to that one.
 *
 * Joined by a hash: nobody tells the planner how many outcomes there are, and in a loop it compared all with all (13 ms
 * for 200 of them). Found by the primary key, so locked in the order of ids.
 */
export async function recordOutcomes(tx: Tx, outcomes: readonly Outcome[]): Promise<Instant | null> {
  const [, [recorded]] = await Promise.all([
    tx.execute(sql`select set_config('enable_nestloop', 'off', true)`),
    tx.query<{ due_at: Instant | null }>(sql`
      with given as (
        select id, lease_id, state, attempt::jsonb, retry_ms from ${outcomeRows(outcomes)}
      ), recorded as (
        update deliveries d
           set state = given.state,
               attempts = case when given.attempt is null then d.attempts
                               when jsonb_array_length(d.attempts) < ${MAX_ATTEMPTS_KEPT}::int
                               then d.attempts || given.attempt
                               else d.attempts - 0 || given.attempt end,
               tries = case when given.attempt is null then d.tries else d.tries + 1 end,
               due_at = case when given.state = 'pending'
                             then ${toRfc3339(tx.now)}::timestamptz + given.retry_ms * interval '1 millisecond' end,
               leased_until = null, lease_id = null
          from given
         where d.business_id = ${tx.businessId} and d.id = any(array(select id from given))
           and given.id = d.id and given.lease_id = d.lease_id
        returning d.due_at
      )
      select min(due_at) as due_at from recorded`),
  ])
  return recorded?.due_at ?? null
}

type Finished = Pick<Outcome, 'objectId' | 'lane'>

const finishedRows = rowsAs<Finished>('given', {
  object_id: ['text', (one) => one.objectId],
  lane: ['text', (one) => one.lane],
})

/**
 * Makes due what waited for these; a statement of its own, after their outcomes were stored, so that it sees what was
 * written while they were locked. One whose outcome was left to another process is still the first, and nothing follows it.
 */
export function releaseNext(tx: Tx, finished: readonly Finished[]): Promise<number> {
  return tx.execute(sql`
    update deliveries d set due_at = ${toRfc3339(tx.now)}
     where d.business_id = ${tx.businessId} and d.due_at is null
       and d.id = any(array(
           select n.id
             from (select distinct object_id, lane from ${finishedRows(finished)}) f,
                  lateral (select w.id, w.due_at from deliveries w
                            where w.business_id = ${tx.businessId} and w.object_id = f.object_id and w.lane = f.lane
                              and w.state = 'pending' and w.in_order
                            order by w.sequence, w.id limit 1) n
            where n.due_at is null))`)
}

/** An endpoint and the lane of its URL. */
export interface Receiver {
  readonly endpointId: string
  readonly lane: string
}

const receiverRows = rowsAs<Receiver>('closed', {
  endpoint_id: ['text', (one) => one.endpointId],
  lane: ['text', (one) => one.lane],
})

/** Of each receiver. All that waits for one may be hundreds of thousands, more than a transaction has the time for. */
const MAX_HASTENED = 200

/**
 * Makes due the first of what is to be tried again at endpoints that get nothing any more, so that it is given up now and
 * what waits behind it goes out; whoever records that it was given up makes the next of it due. Those that somebody is
 * at, who stand before all that is not due, are locked too: their outcome is stored before this, or sees that the
 * endpoint is closed. Locks are taken in the order of ids, as `recordOutcomes` does.
 */
export async function hastenRetries(tx: Tx, closed: readonly Receiver[]): Promise<number> {
  const first = await tx.query<{ id: string }>(sql`
    select id from deliveries
     where business_id = ${tx.businessId} and due_at is not null
       and id = any(array(
           select first.id
             from ${receiverRows(closed)},
                  lateral (select w.id from deliveries w
                            where w.business_id = ${tx.businessId} and w.lane = closed.lane
                              and w.endpoint_id = closed.endpoint_id and w.due_at is not null
                            order by w.due_at limit ${MAX_HASTENED}) first))
     order by id for no key update`)
  if (first.length === 0) return 0
  const ids = first.map(({ id }) => id)
  return tx.execute(sql`
    update deliveries set due_at = ${toRfc3339(tx.now)}
     where business_id = ${tx.businessId} and ${isOneOf(sql`id`, ids)} and due_at > ${toRfc3339(tx.now)}`)
}

export interface NextDue {
  /** The earliest that nobody is at, on the business's clock. */
  readonly due_at: Instant | null
  /** The earliest end of a lease that is not over, on the real clock. */
  readonly leased_until: Instant | null
}

/**
 * When something is due next. What is leased was due when it was leased, so it stands before whatever
 * is not due yet, and is seen on the way to the first that nobody is at.
 *
 * Read in the order of the index: where few are due as a rule the planner sorts all of them (27 ms at 15,000).
 */
export async function nextDue(tx: Tx, mostLeased: number, realNow: Instant): Promise<NextDue> {
  const [, [next]] = await Promise.all([
    tx.execute(
      sql`select set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true)`,
    ),
    tx.query<NextDue>(sql`
      select min(due_at) filter (where ${isFree(realNow)}) as due_at,
             min(leased_until) filter (where not ${isFree(realNow)}) as leased_until
        from (select due_at, leased_until from deliveries
               where business_id = ${tx.businessId} and due_at is not null
               order by due_at limit ${mostLeased}::int) as d`),
  ])
  return next ?? { due_at: null, leased_until: null }
}
