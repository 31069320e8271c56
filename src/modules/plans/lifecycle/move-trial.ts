import { type Instant, isAfter, laterOf } from '#kernel/clock'
import type { Refused } from '#kernel/refusal'
import { type PlanAggregate, withEvent, withPlan } from '../model/plan.ts'
import { noticeAt } from '../model/trial.ts'
import { endOfTrial } from '../plan/read-lifecycle.ts'

/** A trial counts as ended from its end on, even if the job is late. */
export function withTrialEnd(
  aggregate: PlanAggregate,
  until: string,
  at: Instant,
): PlanAggregate | Refused<'no_trial' | 'trial_invalid'> {
  const { plan } = aggregate
  const { trial, cancelAt, startAt, zone } = plan
  if (trial?.state !== 'running' || !isAfter(trial.end, at)) return { refused: 'no_trial' }
  const asked = endOfTrial(until, plan, at, 'trial.until')
  if ('refused' in asked) return asked
  // The plan is due at the trial's end. Nothing is due before the start of a trial.
  const earliest = laterOf(at.round({ smallestUnit: 'millisecond', roundingMode: 'floor' }), startAt)
  const isLater = isAfter(asked.end, earliest)
  const end = isLater ? asked.end : earliest
  const moved = {
    trial: { ...trial, end, noticeAt: isLater ? noticeAt(plan, { ...trial, end }) : null },
    localTime: isLater ? asked.localTime : end.toZonedDateTimeISO(zone).toPlainTime(),
    cancelAt: cancelAt?.equals(trial.end) === true ? end : cancelAt,
  }
  return withEvent(withPlan(aggregate, moved), { type: 'plan.updated' })
}
