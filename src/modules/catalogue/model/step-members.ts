import type { DunningStep } from './dunning-policy.ts'
import type { StepMembers } from './dunning-policy-requests.ts'

export function stepOf({ after_days, days_of_month = [], min_days = 1, at_time }: StepMembers): DunningStep {
  const atTime = at_time === undefined ? null : Temporal.PlainTime.from(at_time)
  return after_days === undefined
    ? { daysOfMonth: days_of_month, minDays: min_days, atTime }
    : { afterDays: after_days, atTime }
}

export function membersOfStep(step: DunningStep): StepMembers {
  const atTime = step.atTime !== null && { at_time: step.atTime.toString({ smallestUnit: 'minute' }) }
  return 'afterDays' in step
    ? { after_days: step.afterDays, ...atTime }
    : { days_of_month: [...step.daysOfMonth], min_days: step.minDays, ...atTime }
}
