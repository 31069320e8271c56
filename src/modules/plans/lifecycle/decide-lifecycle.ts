import { type Instant, isAfter, isBefore } from '#kernel/clock'
import type { Refused } from '#kernel/refusal'
import { currentCycle, hasEnded, type PlanAggregate, transition, withEvent, withPlan } from '../model/plan.ts'
import { beginCycle, endSuspension } from '../timeline/timeline.ts'
import { hasPastDueOrder, refreshStates, suspendedSince } from '../dunning/dunning.ts'
import { cancellationAt } from '../timeline/cancellation.ts'
import { cancelNow } from '../timeline/cancel-now.ts'
import type { Trial } from '../model/trial.ts'
import { type EndedRefusal, endedMessage, refuseUnlessRecoverable } from '../model/refuse-ended.ts'

export function pause(
  aggregate: PlanAggregate,
  at: Instant,
  until: Instant | null = null,
): PlanAggregate | Refused<'plan_not_pausable' | 'plan_permanently_uncollectible'> {
  const { plan } = aggregate
  if (hasEnded(plan)) return { refused: 'plan_not_pausable', message: endedMessage(plan) }
  if (plan.permanentlyUncollectible) return { refused: 'plan_permanently_uncollectible' }
  return plan.paused ? { refused: 'plan_not_pausable' } : withPause(aggregate, at, until)
}

export function withPause(aggregate: PlanAggregate, at: Instant, until: Instant | null): PlanAggregate {
  const { plan } = aggregate
  const paused = withPlan(aggregate, {
    paused: true,
    pauseUntil: until,
    suspendedAt: suspendedSince(aggregate, at),
  })
  return withEvent(transition(paused, plan.currentCycle, 'pause'), { type: 'plan.paused' })
}

export function resume(
  aggregate: PlanAggregate,
  at: Instant,
): PlanAggregate | Refused<'plan_not_paused' | 'plan_permanently_uncollectible'> {
  const { plan } = aggregate
  if (hasEnded(plan)) return { refused: 'plan_not_paused', message: endedMessage(plan) }
  if (plan.permanentlyUncollectible) return { refused: 'plan_permanently_uncollectible' }
  return plan.paused ? withoutPause(aggregate, at) : { refused: 'plan_not_paused' }
}

/** - `bySchedule`: The pause ends at its scheduled time, so a period that begins at that time is billed. */
export function withoutPause(
  aggregate: PlanAggregate,
  at: Instant,
  { bySchedule = false }: { readonly bySchedule?: boolean } = {},
): PlanAggregate {
  const { plan } = aggregate
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
  // A cycle that began during the pause has no order, and its `cycle.activated` has not been written yet.
  const isNew = start !== null && ordersCreated === 0 && !isBefore(start.at, plan.suspendedAt ?? at)
  return refreshStates(endSuspension(transition(resumed, position, event, { silent: !isNew }), at, skipUntil))
}

/** After a trial that ended during a pause, the first period begins at the resumption, so that no period is free. */
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

/**
 * An immediate cancellation is never refused, and changes nothing of a plan that has ended. One at the period's end changes
 * nothing of a plan that ends then already.
 */
export function cancel(
  aggregate: PlanAggregate,
  at: Instant,
  atPeriodEnd: boolean,
): PlanAggregate | EndedRefusal {
  if (!atPeriodEnd) return hasEnded(aggregate.plan) ? aggregate : cancelNow(aggregate, at)
  const refused = refuseUnlessRecoverable(aggregate)
  if (refused !== null) return refused
  const end = cancellationAt(aggregate, at)
  if (end === null) return cancelNow(aggregate, at)
  if (aggregate.plan.cancelAt?.equals(end) === true) return aggregate
  return withEvent(withPlan(aggregate, { cancelAt: end }), { type: 'plan.updated' })
}

/** Once its time has come, a cancellation can no longer be undone, even if the job is late. */
export function uncancel(
  aggregate: PlanAggregate,
  at: Instant,
): PlanAggregate | Refused<'nothing_to_uncancel'> {
  const { cancelAt } = aggregate.plan
  if (cancelAt === null || !isAfter(cancelAt, at)) return { refused: 'nothing_to_uncancel' }
  return withEvent(withPlan(aggregate, { cancelAt: null, cancellation: null }), { type: 'plan.updated' })
}
