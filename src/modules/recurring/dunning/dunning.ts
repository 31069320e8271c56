import { earliestOf, type Instant, isBefore, laterOf } from '#kernel/clock'
import { addDuration } from '#kernel/duration'
import type { Money } from '#kernel/money'
import { errors } from '../api/errors.ts'
import {
  type Life,
  type PlanOrder,
  currentCycle,
  cycleAt,
  hasEnded,
  isMissed,
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
export function attemptBegun(life: Life, orderId: string, transaction: string, at: Instant): Life {
  const order = orderOf(life, orderId)
  return withOrder(life, orderId, {
    attempts: order.attempts + 1,
    attemptTransaction: transaction,
    attemptedAt: at,
    nextAttemptAt: null,
  })
}

/** Something else is under way at the order: the attempt, or the void, waits for its end. */
export function madeToWait(life: Life, orderId: string): Life {
  return isOpen(orderOf(life, orderId)) ? withOrder(life, orderId, { waiting: true }) : life
}

/** What was waited for is over. */
export function waitOver(life: Life, orderId: string, at: Instant): Life {
  const order = orderOf(life, orderId)
  if (!order.waiting) return life
  return withOrder(life, orderId, {
    waiting: false,
    nextAttemptAt: order.nextAttemptAt === null ? null : laterOf(order.nextAttemptAt, at),
    voidAt: order.voidAt === null ? null : laterOf(order.voidAt, at),
  })
}

/**
 * An attempt failed. Its number is compared with the plan's count of this moment: below it the next attempt follows after
 * payment_retry_day_period days, else the order is given up.
 */
export function attemptFailed(life: Life, orderId: string, at: Instant): Life {
  const { plan } = life
  const order = orderOf(life, orderId)
  const attemptedAt = order.attemptedAt ?? at
  const ended = { attemptTransaction: null, nextAttemptAt: null }
  // A cancellation ended the attempts while this one was under way.
  if (plan.state === 'canceled') return withOrder(life, orderId, ended)
  if (order.attempts >= plan.paymentRetryCount) {
    return giveUp(withOrder(life, orderId, { ...ended, usedUp: true }), at)
  }
  const nextAttemptAt = laterOf(addDuration(attemptedAt, { days: plan.paymentRetryDayPeriod }, plan.zone), at)
  const scheduled = withOrder(life, orderId, { ...ended, nextAttemptAt })
  return refreshStates(scheduled)
}

/** An attempt ended through no fault of the customer's: it does not count, and is made again at once. */
export function attemptAgain(life: Life, orderId: string, at: Instant): Life {
  const nextAttemptAt = life.plan.state === 'canceled' ? null : at
  const attempts = orderOf(life, orderId).attempts - 1
  return withOrder(life, orderId, { attempts, attemptTransaction: null, nextAttemptAt })
}

/** An attempt was approved of an order of which the merchant took back another payment: no attempt follows by itself. */
export function attemptLeftShort(life: Life, orderId: string): Life {
  return refreshStates(withOrder(life, orderId, { attemptTransaction: null }))
}

/** Rule 1: the cycles are uncollectible at once; rule 2: the grace of all unpaid orders begins. */
function giveUp(life: Life, at: Instant): Life {
  let given = withPlan(life, { uncollectible: true, suspendedAt: suspendedSince(life, at) })
  given = startGrace(given, at)
  return stopCycles(given)
}

/** A period that has begun by now and is not billed, since a worker is late or attempts come first, will not be. */
function suspendedSince(life: Life, at: Instant): Instant | null {
  return life.plan.suspendedAt ?? earliestOf([at, nextTimelineAt(life)])
}

/** The plan bills and tries nothing any more: all cycles that have begun and are not completed stop with it. */
function stopCycles(life: Life): Life {
  let stopped = life
  for (const { position } of life.cycles) stopped = transition(stopped, position, 'give_up')
  return stopped
}

/** An attempt that waits, for what a merchant has authorized, is not made any more, and keeps no void from its time. */
function startGrace(life: Life, at: Instant): Life {
  const { gracePeriod, zone } = life.plan
  if (gracePeriod === null) return life
  const voidAt = addDuration(at, { days: gracePeriod }, zone)
  return {
    ...life,
    orders: life.orders.map((order) =>
      isOpen(order) && order.voidAt === null ? { ...order, voidAt, waiting: false } : order,
    ),
  }
}

/** An order was paid, by an attempt or by anything else. */
export function orderPaid(life: Life, orderId: string, at: Instant): Life {
  const { cyclePosition } = orderOf(life, orderId)
  const paid = withOrder(life, orderId, { ...COLLECTED, state: 'paid' })
  // A cycle that is over is completed by it, also while the order of another one is given up.
  return recover(life.plan.writtenOff ? paid : refreshState(paid, cyclePosition), at)
}

/** An order was voided: at the end of its grace, or by the merchant. What it used of the credit comes back. */
export function orderVoided(life: Life, orderId: string, at: Instant): Life {
  const order = orderOf(life, orderId)
  let voided = withOrder(life, orderId, { ...COLLECTED, state: 'voided' })
  voided = withPlan(voided, { credit: life.plan.credit.plus(order.credit) })
  if (!order.usedUp || !isOpen(order) || life.plan.state === 'canceled') return recover(voided, at)
  // Rule 2, also of a plan that was paused in the grace.
  return stopCycles(withPlan(voided, { writtenOff: true }))
}

/** A payment of the order was voided, so that it is open again. The merchant did that: no attempt follows by itself. */
export function orderReopened(life: Life, orderId: string): Life {
  return refreshStates(withOrder(life, orderId, { ...COLLECTED, state: 'open', usedUp: false }))
}

/** Of an order that nothing is collected for any more. */
const COLLECTED = { attemptTransaction: null, nextAttemptAt: null, waiting: false, voidAt: null } as const

/**
 * Once all orders whose attempts were used up are paid, the plan is billed again: the next period on its original date, and
 * orders that were in grace only beside those are tried again.
 */
function recover(life: Life, at: Instant): Life {
  const { plan } = life
  if (!plan.uncollectible) return refreshStates(life)
  if (plan.writtenOff || life.orders.some((order) => isOpen(order) && order.usedUp)) return life
  const orders = life.orders.map((order) => (isOpen(order) ? { ...order, voidAt: null } : order))
  const revived = withPlan({ ...life, orders }, { uncollectible: false })
  return plan.paused ? refreshStates(revived) : refreshStates(endSuspension(refreshStates(revived), at))
}

/** Brings every cycle that has begun to the state that its orders give it. */
function refreshStates(life: Life): Life {
  let refreshed = life
  for (const { position } of life.cycles) refreshed = refreshState(refreshed, position)
  return refreshed
}

function refreshState(life: Life, position: number): Life {
  const cycle = cycleAt(life, position)
  const { plan } = life
  if (cycle.start === null || isFinal(cycle.state)) return life
  if (cycle.endAt !== null && !hasOpenOrders(life, cycle)) return transition(life, position, 'finish')
  if (plan.uncollectible && cycle.state === 'uncollectible') return life
  if (plan.paused && position === plan.currentCycle) return transition(life, position, 'pause')
  const missed = life.orders.some((order) => order.cyclePosition === cycle.position && isMissed(order))
  return transition(life, position, missed ? 'miss' : 'recover')
}

/** Stops orders and attempts; grace runs on. Throws 409 `plan_not_pausable`. */
export function pause(life: Life, at: Instant): Life {
  const { plan } = life
  if (plan.paused || hasEnded(plan)) throw errors.plan_not_pausable()
  const paused = withPlan(life, { paused: true, suspendedAt: suspendedSince(life, at) })
  return withEvent(transition(paused, plan.currentCycle, 'pause'), { type: 'plan.paused' })
}

/** Goes on: one overdue attempt of each order at once, bills on their original dates. Throws 409 `plan_not_paused`. */
export function resume(life: Life, at: Instant): Life {
  const { plan } = life
  if (!plan.paused || hasEnded(plan)) throw errors.plan_not_paused()
  const resumed = withEvent(withPlan(life, { paused: false }), { type: 'plan.resumed' })
  const { position, start, ordersCreated } = currentCycle(life)
  if (plan.uncollectible) return transition(resumed, position, 'give_up', { silent: true })
  const missed = life.orders.some((order) => order.cyclePosition === position && isMissed(order))
  const back = start === null ? 'resume_before_start' : missed ? 'miss' : 'recover'
  // A cycle that began in the pause, and so has no order, has not told so yet.
  const isNew = start !== null && ordersCreated === 0 && !isBefore(start.at, plan.suspendedAt ?? at)
  return refreshStates(endSuspension(transition(resumed, position, back, { silent: !isNew }), at))
}

/**
 * Ends the plan: no orders and no attempts any more. Open orders stay payable until their grace, which begins now, ends.
 * `atPeriodEnd` puts it off until the period that runs has ended. Throws 409 `plan_ended`.
 */
export function cancel(life: Life, at: Instant, atPeriodEnd: boolean): Life {
  if (hasEnded(life.plan)) throw errors.plan_ended()
  const end = atPeriodEnd ? periodEnd(life, at) : null
  if (end === null) return cancelNow(life, at)
  return withEvent(withPlan(life, { cancelAt: end }), { type: 'plan.updated' })
}

export function cancelNow(life: Life, at: Instant): Life {
  let canceled: Life = {
    ...life,
    orders: life.orders.map((order) => (isOpen(order) ? { ...order, nextAttemptAt: null } : order)),
  }
  for (const cycle of life.cycles) {
    canceled = transition(canceled, cycle.position, 'cancel', { silent: true })
    if (cycle.start !== null && cycle.endAt === null && !isFinal(cycle.state)) {
      canceled = withCycle(canceled, cycle.position, { endAt: at })
    }
  }
  canceled = withPlan(canceled, { paused: false, uncollectible: false, suspendedAt: null, cancelAt: null })
  return withEvent(startGrace(canceled, at), { type: 'plan.canceled' })
}

/** Adds to what the next orders are cheaper by. */
export function addCredit(life: Life, amount: Money): Life {
  return withEvent(withPlan(life, { credit: life.plan.credit.plus(amount) }), { type: 'plan.updated' })
}

function orderOf(life: Life, orderId: string): PlanOrder {
  const order = life.orders.find((candidate) => candidate.orderId === orderId)
  if (order === undefined) throw new Error(`plan ${life.plan.id} has no order ${orderId}`)
  return order
}
