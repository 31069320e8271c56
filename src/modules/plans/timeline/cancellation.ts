import { billingDate, billingIndexAfter, billingLocalDate } from '#kernel/calendar'
import { type Instant, isAfter, laterOf } from '#kernel/clock'
import { localDateOf, startOfLocalDay } from '#kernel/time-zone'
import { periodEnd } from './timeline.ts'
import { endPeriod, scheduleOf, schedulesOf } from '../model/cycle-schedule.ts'
import { cycleAt, currentCycle, type PlanAggregate } from '../model/plan.ts'
import { type Terms, termEnd } from '../model/terms.ts'

/**
 * Returns when a cancellation at the period's end takes effect: at the end of the period, of the term that binds the
 * customer, or of a trial (reference/billing-lifecycle#terms). Null while none of these runs.
 */
export function cancellationAt(aggregate: PlanAggregate, at: Instant): Instant | null {
  const { startAt, terms, trial, cancelAt } = aggregate.plan
  if (trial?.state === 'running') return isAfter(startAt, at) ? null : trial.end
  const end = periodEnd(aggregate, at)
  if (end === null || terms === null) return end
  // The notice was given with the first cancellation.
  return cancelAt ?? billingDateFrom(aggregate, endOfTerm(aggregate, terms, at), at)
}

function endOfTerm(aggregate: PlanAggregate, terms: Terms, at: Instant): Temporal.PlainDate {
  const { plan } = aggregate
  const { billing_interval: unit, interval_count: count } = currentCycle(aggregate).config
  const lengths = {
    minimum: Temporal.Duration.from(terms.minimum),
    notice: Temporal.Duration.from(terms.notice ?? 'P0D'),
    renewal:
      terms.renewal === null
        ? Temporal.Duration.from({ [`${unit}s`]: count })
        : Temporal.Duration.from(terms.renewal),
  }
  const first = aggregate.cycles.find(({ start }) => start !== null) ?? currentCycle(aggregate)
  return termEnd(lengths, billingLocalDate(scheduleOf(plan, first), 0), localDateOf(at, plan.zone))
}

/** Returns the first billing date on or after `date`, or the end of the plan if it comes before. */
function billingDateFrom(aggregate: PlanAggregate, date: Temporal.PlainDate, at: Instant): Instant | null {
  const { zone, currentCycle: first } = aggregate.plan
  const after = laterOf(at, startOfLocalDay(date, zone).subtract({ milliseconds: 1 }))
  let last: Instant | null = null
  for (const [position, schedule] of schedulesOf(aggregate).entries()) {
    if (position < first) continue
    const end = endPeriod(cycleAt(aggregate, position))
    const index = billingIndexAfter(schedule, after)
    if (end === null || index <= end) return billingDate(schedule, index)
    last = billingDate(schedule, end)
  }
  return last
}
