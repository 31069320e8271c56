import { earliestOf, type Instant, laterOf } from '#kernel/clock'
import { addDuration } from '#kernel/duration'
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
import { endSuspension, hasOpenOrders, nextTimelineAt } from '../billing/timeline.ts'

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

/**
 * Compares the number of attempts with the plan's current retry count, because a merchant may have edited the count.
 */
export function attemptFailed(aggregate: PlanAggregate, orderId: string, at: Instant): PlanAggregate {
  const { plan } = aggregate
  const order = orderOf(aggregate, orderId)
  const attemptedAt = order.attemptedAt ?? at
  const ended = { attemptTransaction: null, nextAttemptAt: null }
  if (isOfCanceled(aggregate, order)) return withOrder(aggregate, orderId, ended)
  if (order.attempts >= plan.paymentRetryCount) {
    return markUncollectible(withOrder(aggregate, orderId, { ...ended, retriesExhausted: true }), at)
  }
  const nextAttemptAt = laterOf(addDuration(attemptedAt, { days: plan.paymentRetryDayPeriod }, plan.zone), at)
  const scheduled = withOrder(aggregate, orderId, { ...ended, nextAttemptAt })
  return refreshStates(scheduled)
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

/** The attempt succeeded, but the merchant has reversed another payment of the order. No attempt follows by itself. */
export function attemptLeftBalance(aggregate: PlanAggregate, orderId: string): PlanAggregate {
  return refreshStates(withOrder(aggregate, orderId, { attemptTransaction: null }))
}

function markUncollectible(aggregate: PlanAggregate, at: Instant): PlanAggregate {
  const suspended = withPlan(aggregate, { uncollectible: true, suspendedAt: suspendedSince(aggregate, at) })
  return markCyclesUncollectible(startGrace(suspended, at))
}

/** A period that began earlier and is unbilled, because the worker is late or attempts come first, is suspended too. */
export function suspendedSince(aggregate: PlanAggregate, at: Instant): Instant | null {
  return aggregate.plan.suspendedAt ?? earliestOf([at, nextTimelineAt(aggregate)])
}

function markCyclesUncollectible(aggregate: PlanAggregate): PlanAggregate {
  let stopped = aggregate
  for (const { position } of aggregate.cycles) stopped = transition(stopped, position, 'mark_uncollectible')
  return stopped
}

/** Unblocks the orders: a blocked attempt is no longer made, so it must not delay the void. */
export function startGrace(aggregate: PlanAggregate, at: Instant): PlanAggregate {
  const { gracePeriod, zone } = aggregate.plan
  if (gracePeriod === null) return aggregate
  const voidAt = addDuration(at, { days: gracePeriod }, zone)
  return {
    ...aggregate,
    orders: aggregate.orders.map((order) =>
      isOpen(order) && order.voidAt === null ? { ...order, voidAt, blocked: false } : order,
    ),
  }
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

/** Returns the order's credit. A void at the end of grace leaves the plan uncollectible forever, paused or not. */
export function orderVoided(aggregate: PlanAggregate, orderId: string, at: Instant): PlanAggregate {
  const order = orderOf(aggregate, orderId)
  let voided = withOrder(aggregate, orderId, { ...NOTHING_SCHEDULED, state: 'voided' })
  voided = withPlan(voided, { credit: aggregate.plan.credit.plus(order.credit) })
  if (!order.retriesExhausted || !isOpen(order) || isOfCanceled(aggregate, order)) return recover(voided, at)
  return markCyclesUncollectible(withPlan(voided, { permanentlyUncollectible: true, pauseUntil: null }))
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

/** A plan that was reactivated does not suffer from what it still has open from before. */
function isOfCanceled(aggregate: PlanAggregate, { cyclePosition }: PlanOrder): boolean {
  return aggregate.plan.state === 'canceled' || cycleAt(aggregate, cyclePosition).state === 'canceled'
}

function orderOf(aggregate: PlanAggregate, orderId: string): PlanOrder {
  const order = aggregate.orders.find((candidate) => candidate.orderId === orderId)
  if (order === undefined) throw new Error(`plan ${aggregate.plan.id} has no order ${orderId}`)
  return order
}
