import { type Instant, isAfter, isBefore } from '#kernel/clock'
import { currentCycle, hasEnded, type PlanAggregate, transition, withEvent, withPlan } from '../model/plan.ts'
import { beginCycle, endSuspension } from '../timeline/timeline.ts'
import { hasPastDueOrder, refreshStates, suspendedSince } from '../dunning/dunning.ts'
import { catalogueErrors as errors } from '#modules/catalogue'
import { cancellationAt } from '../timeline/cancellation.ts'
import { cancelNow } from '../timeline/cancel-now.ts'
import type { Trial } from '../model/trial.ts'
import { endedMessage, refuseUnlessRecoverable } from '../model/refuse-ended.ts'

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

/** - `bySchedule`: The pause ends at its scheduled time, so a period that begins at that time is billed. */
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

/** An immediate cancellation is never refused, and changes nothing of a plan that has ended. */
export function cancel(aggregate: PlanAggregate, at: Instant, atPeriodEnd: boolean): PlanAggregate {
  if (!atPeriodEnd) return hasEnded(aggregate.plan) ? aggregate : cancelNow(aggregate, at)
  refuseUnlessRecoverable(aggregate)
  const end = cancellationAt(aggregate, at)
  if (end === null) return cancelNow(aggregate, at)
  return withEvent(withPlan(aggregate, { cancelAt: end }), { type: 'plan.updated' })
}

/** Once its time has come, a cancellation can no longer be undone, even if the job is late. */
export function uncancel(aggregate: PlanAggregate, at: Instant): PlanAggregate {
  const { cancelAt } = aggregate.plan
  if (cancelAt === null || !isAfter(cancelAt, at)) throw errors.nothing_to_uncancel()
  return withEvent(withPlan(aggregate, { cancelAt: null }), { type: 'plan.updated' })
}
