import { earliestOf, type Instant, isBefore, laterOf } from '#kernel/clock'
import { addDuration } from '#kernel/duration'
import type { Money } from '#kernel/money'
import { errors } from '../api/errors.ts'
import {
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
} from '../plan/plan.ts'
import { isFinal } from '../plan/cycle.states.ts'
import { endSuspension, hasOpenOrders, nextTimelineAt, periodEnd } from '../billing/timeline.ts'

/**
 * How a plan's orders are collected, given up, paid and voided, and what a merchant may do with the plan (interface,
 * "States and transitions", rules 1 to 3; decisions, section 5). Pure: the caller holds the plan's lock.
 */

/** The outcome of an order's attempt is now waited for. */
export function attemptInitiated(
  aggregate: PlanAggregate,
  orderId: string,
  transaction: string,
  at: Instant,
): PlanAggregate {
  const order = orderOf(aggregate, orderId)
  return withOrder(aggregate, orderId, {
    attempts: order.attempts + 1,
    attemptTransaction: transaction,
    attemptedAt: at,
    nextAttemptAt: null,
  })
}

/** Something else is under way at the order: the attempt, or the void, waits for its end. */
export function markBlocked(aggregate: PlanAggregate, orderId: string): PlanAggregate {
  return isOpen(orderOf(aggregate, orderId)) ? withOrder(aggregate, orderId, { blocked: true }) : aggregate
}

/** What was waited for is over. */
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
 * An attempt failed. Its number is compared with the plan's count of this moment: below it the next attempt follows after
 * payment_retry_day_period days, else the order is given up.
 */
export function attemptFailed(aggregate: PlanAggregate, orderId: string, at: Instant): PlanAggregate {
  const { plan } = aggregate
  const order = orderOf(aggregate, orderId)
  const attemptedAt = order.attemptedAt ?? at
  const ended = { attemptTransaction: null, nextAttemptAt: null }
  // A cancellation ended the attempts while this one was under way.
  if (plan.state === 'canceled') return withOrder(aggregate, orderId, ended)
  if (order.attempts >= plan.paymentRetryCount) {
    return markUncollectible(withOrder(aggregate, orderId, { ...ended, retriesExhausted: true }), at)
  }
  const nextAttemptAt = laterOf(addDuration(attemptedAt, { days: plan.paymentRetryDayPeriod }, plan.zone), at)
  const scheduled = withOrder(aggregate, orderId, { ...ended, nextAttemptAt })
  return refreshStates(scheduled)
}

/** An attempt ended through no fault of the customer's: it does not count, and is made again at once. */
export function attemptDiscarded(aggregate: PlanAggregate, orderId: string, at: Instant): PlanAggregate {
  const nextAttemptAt = aggregate.plan.state === 'canceled' ? null : at
  const attempts = orderOf(aggregate, orderId).attempts - 1
  return withOrder(aggregate, orderId, { attempts, attemptTransaction: null, nextAttemptAt })
}

/** An attempt was approved of an order of which the merchant took back another payment: no attempt follows by itself. */
export function attemptLeftBalance(aggregate: PlanAggregate, orderId: string): PlanAggregate {
  return refreshStates(withOrder(aggregate, orderId, { attemptTransaction: null }))
}

/** Rule 1: the cycles are uncollectible at once; rule 2: the grace of all unpaid orders begins. */
function markUncollectible(aggregate: PlanAggregate, at: Instant): PlanAggregate {
  let given = withPlan(aggregate, { uncollectible: true, suspendedAt: suspendedSince(aggregate, at) })
  given = startGrace(given, at)
  return stopCycles(given)
}

/** A period that has begun by now and is not billed, since a worker is late or attempts come first, will not be. */
function suspendedSince(aggregate: PlanAggregate, at: Instant): Instant | null {
  return aggregate.plan.suspendedAt ?? earliestOf([at, nextTimelineAt(aggregate)])
}

/** The plan bills and tries nothing any more: all cycles that have begun and are not completed stop with it. */
function stopCycles(aggregate: PlanAggregate): PlanAggregate {
  let stopped = aggregate
  for (const { position } of aggregate.cycles) stopped = transition(stopped, position, 'mark_uncollectible')
  return stopped
}

/** An attempt that waits, for what a merchant has authorized, is not made any more, and keeps no void from its time. */
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

/** An order was paid, by an attempt or by anything else. */
export function orderPaid(aggregate: PlanAggregate, orderId: string, at: Instant): PlanAggregate {
  const { cyclePosition } = orderOf(aggregate, orderId)
  const paid = withOrder(aggregate, orderId, { ...COLLECTED, state: 'paid' })
  // A cycle that is over is completed by it, also while the order of another one is given up.
  return recover(aggregate.plan.permanentlyUncollectible ? paid : refreshState(paid, cyclePosition), at)
}

/** An order was voided: at the end of its grace, or by the merchant. What it used of the credit comes back. */
export function orderVoided(aggregate: PlanAggregate, orderId: string, at: Instant): PlanAggregate {
  const order = orderOf(aggregate, orderId)
  let voided = withOrder(aggregate, orderId, { ...COLLECTED, state: 'voided' })
  voided = withPlan(voided, { credit: aggregate.plan.credit.plus(order.credit) })
  if (!order.retriesExhausted || !isOpen(order) || aggregate.plan.state === 'canceled')
    return recover(voided, at)
  // Rule 2, also of a plan that was paused in the grace.
  return stopCycles(withPlan(voided, { permanentlyUncollectible: true }))
}

/** A payment of the order was voided, so that it is open again. The merchant did that: no attempt follows by itself. */
export function orderReopened(aggregate: PlanAggregate, orderId: string): PlanAggregate {
  return refreshStates(
    withOrder(aggregate, orderId, { ...COLLECTED, state: 'open', retriesExhausted: false }),
  )
}

/** Of an order that nothing is collected for any more. */
const COLLECTED = { attemptTransaction: null, nextAttemptAt: null, waiting: false, voidAt: null } as const

/**
 * Once all orders whose attempts were used up are paid, the plan is billed again: the next period on its original date, and
 * orders that were in grace only beside those are tried again.
 */
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

/** Brings every cycle that has begun to the state that its orders give it. */
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
    return transition(aggregate, position, 'finish')
  if (plan.uncollectible && cycle.state === 'uncollectible') return aggregate
  if (plan.paused && position === plan.currentCycle) return transition(aggregate, position, 'pause')
  const missed = aggregate.orders.some((order) => order.cyclePosition === cycle.position && isPastDue(order))
  return transition(aggregate, position, missed ? 'miss' : 'recover')
}

/** Stops orders and attempts; grace runs on. Throws 409 `plan_not_pausable`. */
export function pause(aggregate: PlanAggregate, at: Instant): PlanAggregate {
  const { plan } = aggregate
  if (plan.paused || hasEnded(plan)) throw errors.plan_not_pausable()
  const paused = withPlan(aggregate, { paused: true, suspendedAt: suspendedSince(aggregate, at) })
  return withEvent(transition(paused, plan.currentCycle, 'pause'), { type: 'plan.paused' })
}

/** Goes on: one overdue attempt of each order at once, bills on their original dates. Throws 409 `plan_not_paused`. */
export function resume(aggregate: PlanAggregate, at: Instant): PlanAggregate {
  const { plan } = aggregate
  if (!plan.paused || hasEnded(plan)) throw errors.plan_not_paused()
  const resumed = withEvent(withPlan(aggregate, { paused: false }), { type: 'plan.resumed' })
  const { position, start, ordersCreated } = currentCycle(aggregate)
  if (plan.uncollectible) return transition(resumed, position, 'mark_uncollectible', { silent: true })
  const missed = aggregate.orders.some((order) => order.cyclePosition === position && isPastDue(order))
  const back = start === null ? 'resume_before_start' : missed ? 'miss' : 'recover'
  // A cycle that began in the pause, and so has no order, has not told so yet.
  const isNew = start !== null && ordersCreated === 0 && !isBefore(start.at, plan.suspendedAt ?? at)
  return refreshStates(endSuspension(transition(resumed, position, back, { silent: !isNew }), at))
}

/**
 * Ends the plan: no orders and no attempts any more. Open orders stay payable until their grace, which begins now, ends.
 * `atPeriodEnd` puts it off until the period that runs has ended. Throws 409 `plan_ended`.
 */
export function cancel(aggregate: PlanAggregate, at: Instant, atPeriodEnd: boolean): PlanAggregate {
  if (hasEnded(aggregate.plan)) throw errors.plan_ended()
  const end = atPeriodEnd ? periodEnd(aggregate, at) : null
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

/** Adds to what the next orders are cheaper by. */
export function addCredit(aggregate: PlanAggregate, amount: Money): PlanAggregate {
  return withEvent(withPlan(aggregate, { credit: aggregate.plan.credit.plus(amount) }), {
    type: 'plan.updated',
  })
}

function orderOf(aggregate: PlanAggregate, orderId: string): PlanOrder {
  const order = aggregate.orders.find((candidate) => candidate.orderId === orderId)
  if (order === undefined) throw new Error(`plan ${aggregate.plan.id} has no order ${orderId}`)
  return order
}
