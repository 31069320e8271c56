import { earliestOf, type Instant, isBefore, laterOf } from '#kernel/clock'
import { addDuration } from '#kernel/duration'
import type { RequestError } from '#kernel/errors'
import type { Money } from '#kernel/money'
import { errors } from '../errors.ts'
import {
  type Plan,
  type PlanAggregate,
  type PlanOrder,
  currentCycle,
  cycleAt,
  hasEnded,
  isPastDue,
  isOpen,
  transition,
  withCycle,
  withEvent,
  withOrder,
  withPlan,
} from '../model/plan.ts'
import { isFinal } from '../model/cycle.states.ts'
import { endSuspension, hasOpenOrders, nextTimelineAt, periodEnd } from '../billing/timeline.ts'

/**
 * The pure decisions of dunning: how a plan collects its orders, and what a merchant may do with the plan. The caller holds
 * the plan's lock (reference/recurring#retries, reference/recurring#uncollectible).
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
  if (plan.state === 'canceled') return withOrder(aggregate, orderId, ended)
  if (order.attempts >= plan.paymentRetryCount) {
    return markUncollectible(withOrder(aggregate, orderId, { ...ended, retriesExhausted: true }), at)
  }
  const nextAttemptAt = laterOf(addDuration(attemptedAt, { days: plan.paymentRetryDayPeriod }, plan.zone), at)
  const scheduled = withOrder(aggregate, orderId, { ...ended, nextAttemptAt })
  return refreshStates(scheduled)
}

/** Repeats at once an attempt that ended through no fault of the customer. It does not count. */
export function attemptDiscarded(aggregate: PlanAggregate, orderId: string, at: Instant): PlanAggregate {
  const nextAttemptAt = aggregate.plan.state === 'canceled' ? null : at
  const attempts = orderOf(aggregate, orderId).attempts - 1
  return withOrder(aggregate, orderId, { attempts, attemptTransaction: null, nextAttemptAt })
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
function suspendedSince(aggregate: PlanAggregate, at: Instant): Instant | null {
  return aggregate.plan.suspendedAt ?? earliestOf([at, nextTimelineAt(aggregate)])
}

function markCyclesUncollectible(aggregate: PlanAggregate): PlanAggregate {
  let stopped = aggregate
  for (const { position } of aggregate.cycles) stopped = transition(stopped, position, 'mark_uncollectible')
  return stopped
}

/** Unblocks the orders: a blocked attempt is no longer made, so it must not delay the void. */
function startGrace(aggregate: PlanAggregate, at: Instant): PlanAggregate {
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

/** Returns the order's credit. A void at the end of grace leaves the plan uncollectible forever, paused or not. */
export function orderVoided(aggregate: PlanAggregate, orderId: string, at: Instant): PlanAggregate {
  const order = orderOf(aggregate, orderId)
  let voided = withOrder(aggregate, orderId, { ...NOTHING_SCHEDULED, state: 'voided' })
  voided = withPlan(voided, { credit: aggregate.plan.credit.plus(order.credit) })
  if (!order.retriesExhausted || !isOpen(order) || aggregate.plan.state === 'canceled')
    return recover(voided, at)
  return markCyclesUncollectible(withPlan(voided, { permanentlyUncollectible: true }))
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
    aggregate.orders.some((order) => isOpen(order) && order.retriesExhausted)
  )
    return aggregate
  const orders = aggregate.orders.map((order) => (isOpen(order) ? { ...order, voidAt: null } : order))
  const revived = withPlan({ ...aggregate, orders }, { uncollectible: false })
  return plan.paused ? refreshStates(revived) : refreshStates(endSuspension(refreshStates(revived), at))
}

function refreshStates(aggregate: PlanAggregate): PlanAggregate {
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

function hasPastDueOrder(aggregate: PlanAggregate, position: number): boolean {
  return aggregate.orders.some((order) => order.cyclePosition === position && isPastDue(order))
}

export function pause(aggregate: PlanAggregate, at: Instant): PlanAggregate {
  const { plan } = aggregate
  if (hasEnded(plan)) throw errors.plan_not_pausable({ message: endedMessage(plan) })
  if (plan.permanentlyUncollectible) throw errors.plan_permanently_uncollectible()
  if (plan.paused) throw errors.plan_not_pausable()
  const paused = withPlan(aggregate, { paused: true, suspendedAt: suspendedSince(aggregate, at) })
  return withEvent(transition(paused, plan.currentCycle, 'pause'), { type: 'plan.paused' })
}

export function resume(aggregate: PlanAggregate, at: Instant): PlanAggregate {
  const { plan } = aggregate
  if (hasEnded(plan)) throw errors.plan_not_paused({ message: endedMessage(plan) })
  if (plan.permanentlyUncollectible) throw errors.plan_permanently_uncollectible()
  if (!plan.paused) throw errors.plan_not_paused()
  const resumed = withEvent(withPlan(aggregate, { paused: false }), { type: 'plan.resumed' })
  const { position, start, ordersCreated } = currentCycle(aggregate)
  if (plan.uncollectible) return transition(resumed, position, 'mark_uncollectible', { silent: true })
  const pastDue = hasPastDueOrder(aggregate, position)
  const event = start === null ? 'resume_before_start' : pastDue ? 'mark_past_due' : 'recover'
  // `cycle.activated` is still owed for a cycle that began during the pause and therefore has no order.
  const isNew = start !== null && ordersCreated === 0 && !isBefore(start.at, plan.suspendedAt ?? at)
  return refreshStates(endSuspension(transition(resumed, position, event, { silent: !isNew }), at))
}

/** Makes the next attempt of open orders due at once. It counts as the attempt that was scheduled. */
export function retryNow(aggregate: PlanAggregate, orderId: string | null, at: Instant): PlanAggregate {
  const { plan } = aggregate
  refuseUnlessRecoverable(aggregate)
  if (plan.paused) throw nothingToRetry('The plan is paused. Resume it first.')
  const open = aggregate.orders.filter(
    (order) => isOpen(order) && (orderId ?? order.orderId) === order.orderId,
  )
  const due = open.filter((order) => whyNotRetried(aggregate, order) === null)
  if (due.length > 0) {
    const ids = new Set(due.map((order) => order.orderId))
    const orders = aggregate.orders.map((order) =>
      ids.has(order.orderId) ? { ...order, nextAttemptAt: earliestOf([order.nextAttemptAt, at]) } : order,
    )
    return withEvent({ ...aggregate, orders }, { type: 'plan.updated' })
  }
  const [first] = open
  if (first === undefined) throw errors.nothing_to_retry()
  throw nothingToRetry(whyNotRetried(aggregate, first) ?? '')
}

function whyNotRetried(aggregate: PlanAggregate, order: PlanOrder): string | null {
  const { plan } = aggregate
  if (plan.uncollectible || order.retriesExhausted || order.attempts >= plan.paymentRetryCount) {
    return 'No attempt of the order is left. Pay it with POST …/orders/pay, which revives the plan.'
  }
  if (order.attemptTransaction !== null) return 'An attempt of the order is under way.'
  if (order.blocked) return 'Another payment, refund or void of the order has no outcome yet.'
  return isFinal(cycleAt(aggregate, order.cyclePosition).state) ? 'The cycle of the order has ended.' : null
}

function nothingToRetry(message: string): RequestError {
  return errors.nothing_to_retry({ message })
}

/** An immediate cancellation is never refused, and changes nothing of a plan that has ended. */
export function cancel(aggregate: PlanAggregate, at: Instant, atPeriodEnd: boolean): PlanAggregate {
  if (!atPeriodEnd) return hasEnded(aggregate.plan) ? aggregate : cancelNow(aggregate, at)
  refuseUnlessRecoverable(aggregate)
  const end = periodEnd(aggregate, at)
  if (end === null) return cancelNow(aggregate, at)
  return withEvent(withPlan(aggregate, { cancelAt: end }), { type: 'plan.updated' })
}

export function cancelNow(aggregate: PlanAggregate, at: Instant): PlanAggregate {
  let canceled: PlanAggregate = {
    ...aggregate,
    orders: aggregate.orders.map((order) => (isOpen(order) ? { ...order, nextAttemptAt: null } : order)),
  }
  for (const cycle of aggregate.cycles) {
    canceled = transition(canceled, cycle.position, 'cancel', { silent: true })
    if (cycle.start !== null && cycle.endAt === null && !isFinal(cycle.state)) {
      canceled = withCycle(canceled, cycle.position, { endAt: at })
    }
  }
  canceled = withPlan(canceled, { paused: false, uncollectible: false, suspendedAt: null, cancelAt: null })
  return withEvent(startGrace(canceled, at), { type: 'plan.canceled' })
}

export function addCredit(aggregate: PlanAggregate, amount: Money): PlanAggregate {
  refuseUnlessRecoverable(aggregate)
  return withEvent(withPlan(aggregate, { credit: aggregate.plan.credit.plus(amount) }), {
    type: 'plan.updated',
  })
}

function refuseUnlessRecoverable({ plan }: PlanAggregate): void {
  if (hasEnded(plan)) throw errors.plan_ended({ message: endedMessage(plan) })
  if (plan.permanentlyUncollectible) throw errors.plan_permanently_uncollectible()
}

function endedMessage({ state }: Plan): string {
  return `The plan is ${state}. Create a new plan to bill its customer again.`
}

function orderOf(aggregate: PlanAggregate, orderId: string): PlanOrder {
  const order = aggregate.orders.find((candidate) => candidate.orderId === orderId)
  if (order === undefined) throw new Error(`plan ${aggregate.plan.id} has no order ${orderId}`)
  return order
}
