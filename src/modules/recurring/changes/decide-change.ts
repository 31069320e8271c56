import { type Instant, isAfter, isBefore } from '#kernel/clock'
import type { RequestError } from '#kernel/errors'
import type { Money } from '#kernel/money'
import { sendsInvoices } from '../invoices/plan-invoice.ts'
import { beginCycle, endSuspension } from '../billing/timeline.ts'
import {
  attemptEarlier,
  hasAttemptLeft,
  hasPastDueOrder,
  refreshStates,
  suspendedSince,
} from '../dunning/dunning.ts'
import { errors } from '../errors.ts'
import { cancellationAt } from '../lifecycle/cancellation.ts'
import { cancelNow } from './cancel-now.ts'
import { isFinal } from '../model/cycle.states.ts'
import {
  currentCycle,
  cycleAt,
  hasEnded,
  isOpen,
  type Plan,
  type PlanAggregate,
  type PlanOrder,
  transition,
  withEvent,
  withPlan,
} from '../model/plan.ts'
import type { Trial } from '../model/trial.ts'

export function pause(aggregate: PlanAggregate, at: Instant, until: Instant | null = null): PlanAggregate {
  const { plan } = aggregate
  if (hasEnded(plan)) throw errors.plan_not_pausable({ message: endedMessage(plan) })
  if (plan.permanentlyUncollectible) throw errors.plan_permanently_uncollectible()
  if (plan.paused) throw errors.plan_not_pausable()
  const paused = withPlan(aggregate, {
    paused: true,
    pauseUntil: until,
    suspendedAt: suspendedSince(aggregate, at),
  })
  return withEvent(transition(paused, plan.currentCycle, 'pause'), { type: 'plan.paused' })
}

/** - `bySchedule`: The pause ends at a time that was set, so that a period which begins then is billed. */
export function resume(
  aggregate: PlanAggregate,
  at: Instant,
  { bySchedule = false }: { readonly bySchedule?: boolean } = {},
): PlanAggregate {
  const { plan } = aggregate
  if (hasEnded(plan)) throw errors.plan_not_paused({ message: endedMessage(plan) })
  if (plan.permanentlyUncollectible) throw errors.plan_permanently_uncollectible()
  if (!plan.paused) throw errors.plan_not_paused()
  const skipUntil = bySchedule ? at.subtract({ milliseconds: 1 }) : at
  const { trial } = plan
  const hasTrialEnded =
    trial?.state === 'ended' || (trial?.state === 'running' && !isAfter(trial.end, skipUntil))
  if (trial !== null && hasTrialEnded) return resumeAfterTrial(aggregate, trial, at)
  const resumed = withEvent(withPlan(aggregate, { paused: false, pauseUntil: null }), {
    type: 'plan.resumed',
  })
  const { position, start, ordersCreated } = currentCycle(aggregate)
  if (plan.uncollectible) return transition(resumed, position, 'mark_uncollectible', { silent: true })
  const pastDue = hasPastDueOrder(aggregate, position)
  const event = start === null ? 'resume_before_start' : pastDue ? 'mark_past_due' : 'recover'
  // `cycle.activated` is still owed for a cycle that began during the pause and therefore has no order.
  const isNew = start !== null && ordersCreated === 0 && !isBefore(start.at, plan.suspendedAt ?? at)
  return refreshStates(endSuspension(transition(resumed, position, event, { silent: !isNew }), at, skipUntil))
}

/** The first period begins at the resumption, so that a trial that ended during a pause gives away no period. */
function resumeAfterTrial(aggregate: PlanAggregate, trial: Trial, at: Instant): PlanAggregate {
  const ended = trial.state === 'ended' ? aggregate : withEvent(aggregate, { type: 'plan.trial_ended' })
  const resumed = withPlan(ended, {
    paused: false,
    pauseUntil: null,
    suspendedAt: null,
    trial: { ...trial, state: 'converted', noticeAt: null },
  })
  const event = withEvent(resumed, { type: 'plan.resumed' })
  return beginCycle(transition(event, event.plan.currentCycle, 'resume_before_start', { silent: true }), at)
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
      ids.has(order.orderId) ? attemptEarlier(order, at) : order,
    )
    return withEvent({ ...aggregate, orders }, { type: 'plan.updated' })
  }
  const [first] = open
  if (first === undefined) throw errors.nothing_to_retry()
  throw nothingToRetry(whyNotRetried(aggregate, first) ?? '')
}

function whyNotRetried(aggregate: PlanAggregate, order: PlanOrder): string | null {
  const { plan } = aggregate
  if (sendsInvoices(plan)) return 'Its invoice is sent, so no attempt is made.'
  if (plan.uncollectible || !hasAttemptLeft(aggregate, order)) {
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
  const end = cancellationAt(aggregate, at)
  if (end === null) return cancelNow(aggregate, at)
  return withEvent(withPlan(aggregate, { cancelAt: end }), { type: 'plan.updated' })
}

/** A cancellation whose time has come stands, even if the job that makes it is late. */
export function uncancel(aggregate: PlanAggregate, at: Instant): PlanAggregate {
  const { cancelAt } = aggregate.plan
  if (cancelAt === null || !isAfter(cancelAt, at)) throw errors.nothing_to_uncancel()
  return withEvent(withPlan(aggregate, { cancelAt: null }), { type: 'plan.updated' })
}

export function addCredit(aggregate: PlanAggregate, amount: Money): PlanAggregate {
  refuseUnlessRecoverable(aggregate)
  return withEvent(withPlan(aggregate, { credit: aggregate.plan.credit.plus(amount) }), {
    type: 'plan.updated',
  })
}

export function refuseUnlessRecoverable({ plan }: PlanAggregate): void {
  if (hasEnded(plan)) throw errors.plan_ended({ message: endedMessage(plan) })
  if (plan.permanentlyUncollectible) throw errors.plan_permanently_uncollectible()
}

function endedMessage({ state }: Plan): string {
  return state === 'canceled'
    ? 'The plan is canceled. Reactivate it to bill its customer again.'
    : 'The plan is completed. Create a new plan to bill its customer again.'
}
