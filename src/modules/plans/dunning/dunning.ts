import { earliestOf, type Instant, isAfter, laterOf } from '#kernel/clock'
import { addDuration } from '#kernel/duration'
import { cancelNow, startGrace } from '../timeline/cancel-now.ts'
import { retryNumbers } from '#modules/catalogue'
import {
  type PlanAggregate,
  type PlanOrder,
  cycleAt,
  isPastDue,
  isOpen,
  transition,
  withOrder,
  withPlan,
} from '../model/plan.ts'
import { isFinal } from '../model/cycle.states.ts'
import { stepsLeft } from './next-step.ts'
import { endSuspension, hasOpenOrders, nextTimelineAt } from '../timeline/timeline.ts'

/**
 * The pure decisions of dunning: how a plan collects its orders. The caller holds the plan's lock (reference/recurring#retries,
 * reference/recurring#uncollectible).
 */

export function attemptInitiated(
  aggregate: PlanAggregate,
  orderId: string,
  transactionId: string,
  at: Instant,
): PlanAggregate {
  const order = orderOf(aggregate, orderId)
  return withOrder(aggregate, orderId, {
    attempts: order.attempts + 1,
    attemptTransaction: transactionId,
    attemptedAt: at,
    nextAttemptAt: null,
    dunning: order.dunning && { ...order.dunning, waits: false },
  })
}

export function markBlocked(aggregate: PlanAggregate, orderId: string): PlanAggregate {
  return isOpen(orderOf(aggregate, orderId)) ? withOrder(aggregate, orderId, { blocked: true }) : aggregate
}

export function unblock(aggregate: PlanAggregate, orderId: string, at: Instant): PlanAggregate {
  const order = orderOf(aggregate, orderId)
  if (!order.blocked) return aggregate
  return withOrder(aggregate, orderId, {
    blocked: false,
    nextAttemptAt: order.nextAttemptAt === null ? null : laterOf(order.nextAttemptAt, at),
    voidAt: order.voidAt === null ? null : laterOf(order.voidAt, at),
  })
}

/** - `isHard`: The same token must not be charged again, or there was none. */
export interface Decline {
  readonly code: string | null
  readonly isHard: boolean
}

const UNKNOWN_DECLINE: Decline = { code: null, isHard: false }

function withFailedAttempt(
  aggregate: PlanAggregate,
  { orderId, attemptTransaction: transactionId }: PlanOrder,
): PlanAggregate {
  if (transactionId === null) return aggregate
  const failedAttempts = [...(aggregate.failedAttempts ?? []), { orderId, transactionId }]
  return { ...aggregate, failedAttempts }
}

type Schedule = Pick<PlanOrder, 'nextAttemptAt' | 'dunning'>

/** Decides by the plan's current policy or numbers, because a merchant may have edited them. */
export function attemptFailed(
  before: PlanAggregate,
  orderId: string,
  at: Instant,
  decline: Decline = UNKNOWN_DECLINE,
): PlanAggregate {
  const order = orderOf(before, orderId)
  const aggregate = withFailedAttempt(before, order)
  if (isOfCanceled(aggregate, order))
    return withOrder(aggregate, orderId, { attemptTransaction: null, nextAttemptAt: null })
  const next =
    aggregate.policy === null
      ? nextByNumbers(aggregate, order, at)
      : nextByPolicy(aggregate, order, decline, at)
  if (next === null) return exhaust(aggregate, orderId, at)
  return refreshStates(withOrder(aggregate, orderId, { attemptTransaction: null, ...next }))
}

function nextByNumbers({ plan }: PlanAggregate, order: PlanOrder, at: Instant): Schedule | null {
  if (order.attempts >= plan.paymentRetryCount) return null
  const period = { days: plan.paymentRetryDayPeriod }
  const nextAttemptAt = laterOf(addDuration(order.attemptedAt ?? at, period, plan.zone), at)
  return { nextAttemptAt, dunning: null }
}

function nextByPolicy(
  { plan, policy }: PlanAggregate,
  order: PlanOrder,
  { code: declineCode, isHard }: Decline,
  at: Instant,
): Schedule | null {
  if (policy === null) return null
  const attemptedAt = order.attemptedAt ?? at
  const after = laterOf(attemptedAt, order.dunning?.earlyFrom ?? attemptedAt)
  const left = stepsLeft({ policy, plan, order, declineCode, after })
  const [next] = left
  const waits = isHard && policy.hard === 'wait'
  const until = waits ? left.at(-1) : next
  if (next === undefined || until === undefined) return null
  return {
    nextAttemptAt: laterOf(until.at, at),
    dunning: { declineCode, step: next.number, waits, earlyFrom: null },
  }
}

/** When the attempt is due, no token may be charged, so no attempt is made (reference/billing-dunning#hard). */
export function attemptWaits(aggregate: PlanAggregate, orderId: string, at: Instant): PlanAggregate {
  const { plan, policy } = aggregate
  const order = orderOf(aggregate, orderId)
  if (isOfCanceled(aggregate, order)) return withOrder(aggregate, orderId, { nextAttemptAt: null })
  const { declineCode = null, step = 0 } = order.dunning ?? {}
  const last = policy && stepsLeft({ policy, plan, order, declineCode, after: at }).at(-1)
  if (last == null) return exhaust(aggregate, orderId, at)
  const dunning = { declineCode, step, waits: true, earlyFrom: null }
  return refreshStates(withOrder(aggregate, orderId, { nextAttemptAt: last.at, dunning }))
}

export function tokenReplaced(aggregate: PlanAggregate, orderId: string, at: Instant): PlanAggregate {
  const { plan, policy } = aggregate
  const order = orderOf(aggregate, orderId)
  const { dunning, nextAttemptAt } = order
  if (policy === null || !isPastDue(order) || nextAttemptAt === null || !isAfter(nextAttemptAt, at))
    return aggregate
  if (policy.newToken === 'retry') return withOrder(aggregate, orderId, attemptEarlier(order, at))
  if (dunning?.waits !== true) return aggregate
  const { declineCode, step } = dunning
  const unused = { ...order, dunning: { ...dunning, step: step - 1 } }
  const [next] = stepsLeft({ policy, plan, order: unused, declineCode, after: at })
  if (next === undefined) return aggregate
  return withOrder(aggregate, orderId, {
    nextAttemptAt: next.at,
    dunning: { ...dunning, step: next.number, waits: false },
  })
}

/** Makes the next attempt due at once. It replaces the step that was next, and later steps keep their times. */
export function attemptEarlier(order: PlanOrder, at: Instant): PlanOrder {
  const { nextAttemptAt, dunning } = order
  const earlier = { ...order, nextAttemptAt: earliestOf([nextAttemptAt, at]) }
  if (dunning === null || nextAttemptAt === null || !isAfter(nextAttemptAt, at)) return earlier
  return {
    ...earlier,
    dunning: { ...dunning, waits: false, earlyFrom: dunning.waits ? null : nextAttemptAt },
  }
}

export function hasAttemptLeft({ plan, policy }: PlanAggregate, order: PlanOrder): boolean {
  if (order.retriesExhausted) return false
  if (policy === null) return order.attempts < plan.paymentRetryCount
  return order.attempts < retryNumbers(policy).count || order.nextAttemptAt !== null
}

function exhaust(aggregate: PlanAggregate, orderId: string, at: Instant): PlanAggregate {
  const ended = withOrder(aggregate, orderId, {
    attemptTransaction: null,
    nextAttemptAt: null,
    retriesExhausted: true,
  })
  if (aggregate.policy?.exhausted !== 'cancel') return markUncollectible(ended, at)
  // The job bills the waiting lines when it performs the cancellation.
  return aggregate.plan.pendingLines.length > 0 ? withPlan(ended, { cancelAt: at }) : cancelNow(ended, at)
}

/** Repeats at once an attempt that ended through no fault of the customer. It does not count. */
export function attemptDiscarded(aggregate: PlanAggregate, orderId: string, at: Instant): PlanAggregate {
  const order = orderOf(aggregate, orderId)
  const nextAttemptAt = isOfCanceled(aggregate, order) ? null : at
  return withOrder(aggregate, orderId, {
    attempts: order.attempts - 1,
    attemptTransaction: null,
    nextAttemptAt,
  })
}

/** The attempt succeeded, but the merchant has reversed another payment of the order. No attempt follows automatically. */
export function attemptLeftBalance(aggregate: PlanAggregate, orderId: string): PlanAggregate {
  return refreshStates(withOrder(aggregate, orderId, { attemptTransaction: null }))
}

function markUncollectible(aggregate: PlanAggregate, at: Instant): PlanAggregate {
  const suspended = withPlan(aggregate, { uncollectible: true, suspendedAt: suspendedSince(aggregate, at) })
  return markCyclesUncollectible(startGrace(suspended, at))
}

/** An earlier period may be unbilled, because the worker is late or attempts come first. It is suspended, too. */
export function suspendedSince(aggregate: PlanAggregate, at: Instant): Instant | null {
  return aggregate.plan.suspendedAt ?? earliestOf([at, nextTimelineAt(aggregate)])
}

function markCyclesUncollectible(aggregate: PlanAggregate): PlanAggregate {
  let stopped = aggregate
  for (const { position } of aggregate.cycles) stopped = transition(stopped, position, 'mark_uncollectible')
  return stopped
}

export function orderPaid(aggregate: PlanAggregate, orderId: string, at: Instant): PlanAggregate {
  const { cyclePosition } = orderOf(aggregate, orderId)
  const paid = withOrder(aggregate, orderId, { ...NOTHING_SCHEDULED, state: 'paid' })
  // The payment completes its ended cycle even while an order of another cycle is uncollectible.
  return recover(aggregate.plan.permanentlyUncollectible ? paid : refreshState(paid, cyclePosition), at)
}

/** A change lowered the order until nothing of it was left to pay. What it used of the plan's credit stays used. */
export function orderCredited(
  aggregate: PlanAggregate,
  orderId: string,
  state: Exclude<PlanOrder['state'], 'open'>,
  at: Instant,
): PlanAggregate {
  const { cyclePosition } = orderOf(aggregate, orderId)
  const credited = withOrder(aggregate, orderId, { ...NOTHING_SCHEDULED, state })
  return recover(refreshState(credited, cyclePosition), at)
}

/** The due date of an invoice that was sent has passed (reference/billing-invoices#sent-invoices). */
export function orderOverdue(aggregate: PlanAggregate, orderId: string, at: Instant): PlanAggregate {
  const order = aggregate.orders.find((candidate) => candidate.orderId === orderId)
  if (order === undefined || !isOpen(order)) return aggregate
  const { gracePeriod, zone } = aggregate.plan
  const voidAt = gracePeriod === null ? null : addDuration(at, { days: gracePeriod }, zone)
  return refreshStates(withOrder(aggregate, orderId, { retriesExhausted: true, voidAt }))
}

/** Returns the order's credit. A void at the end of grace leaves the plan uncollectible forever, paused or not. */
export function orderVoided(aggregate: PlanAggregate, orderId: string, at: Instant): PlanAggregate {
  const order = orderOf(aggregate, orderId)
  let voided = withOrder(aggregate, orderId, { ...NOTHING_SCHEDULED, state: 'voided' })
  voided = withPlan(voided, { credit: aggregate.plan.credit.plus(order.credit) })
  if (!order.retriesExhausted || !isOpen(order) || isOfCanceled(aggregate, order)) return recover(voided, at)
  const suspendedAt = suspendedSince(voided, at)
  return markCyclesUncollectible(
    withPlan(voided, { uncollectible: true, permanentlyUncollectible: true, suspendedAt, pauseUntil: null }),
  )
}

export function orderReopened(aggregate: PlanAggregate, orderId: string): PlanAggregate {
  return refreshStates(
    withOrder(aggregate, orderId, { ...NOTHING_SCHEDULED, state: 'open', retriesExhausted: false }),
  )
}

const NOTHING_SCHEDULED = {
  attemptTransaction: null,
  nextAttemptAt: null,
  blocked: false,
  voidAt: null,
  dunning: null,
} as const satisfies Partial<PlanOrder>

/** Revives the plan once all orders without retries are paid: billing continues on the original dates, other orders retry. */
function recover(aggregate: PlanAggregate, at: Instant): PlanAggregate {
  const { plan } = aggregate
  if (!plan.uncollectible) return refreshStates(aggregate)
  if (
    plan.permanentlyUncollectible ||
    aggregate.orders.some(
      (order) => isOpen(order) && order.retriesExhausted && !isOfCanceled(aggregate, order),
    )
  )
    return aggregate
  const orders = aggregate.orders.map((order) => (isOpen(order) ? { ...order, voidAt: null } : order))
  const revived = withPlan({ ...aggregate, orders }, { uncollectible: false })
  return plan.paused ? refreshStates(revived) : refreshStates(endSuspension(refreshStates(revived), at))
}

export function refreshStates(aggregate: PlanAggregate): PlanAggregate {
  let refreshed = aggregate
  for (const { position } of aggregate.cycles) refreshed = refreshState(refreshed, position)
  return refreshed
}

function refreshState(aggregate: PlanAggregate, position: number): PlanAggregate {
  const cycle = cycleAt(aggregate, position)
  const { plan } = aggregate
  if (cycle.start === null || isFinal(cycle.state)) return aggregate
  if (cycle.endAt !== null && !hasOpenOrders(aggregate, cycle))
    return transition(aggregate, position, 'complete')
  if (plan.uncollectible && cycle.state === 'uncollectible') return aggregate
  if (plan.paused && position === plan.currentCycle) return transition(aggregate, position, 'pause')
  return transition(aggregate, position, hasPastDueOrder(aggregate, position) ? 'mark_past_due' : 'recover')
}

export function hasPastDueOrder(aggregate: PlanAggregate, position: number): boolean {
  return aggregate.orders.some((order) => order.cyclePosition === position && isPastDue(order))
}

/** Orders that are still open from before a reactivation do not affect the plan. */
function isOfCanceled(aggregate: PlanAggregate, { cyclePosition }: PlanOrder): boolean {
  return aggregate.plan.state === 'canceled' || cycleAt(aggregate, cyclePosition).state === 'canceled'
}

function orderOf(aggregate: PlanAggregate, orderId: string): PlanOrder {
  const order = aggregate.orders.find((candidate) => candidate.orderId === orderId)
  if (order === undefined) throw new Error(`plan ${aggregate.plan.id} has no order ${orderId}`)
  return order
}
