import { type Instant, isAfter } from '#kernel/clock'
import { beginsFirstPeriod, type StepGround, takeLifecycleStep } from './take-lifecycle-step.ts'
import { nextLifecycleStep } from '../model/lifecycle-step.ts'
import type { PlanAggregate } from '../model/plan.ts'
import { billNext, billWaiting, type NextBill } from '../amounts/bill-next.ts'
import type { PlanItems, ScheduledChange } from '../model/plan-items.ts'
import { nextTimelineAt } from '../timeline/timeline.ts'

export function takeTimelineStep(
  before: PlanAggregate,
  items: PlanItems,
  dueAt: Instant,
  ground: StepGround,
  scheduled?: ScheduledChange,
): NextBill {
  const lifecycleStep = nextLifecycleStep(before)
  if (lifecycleStep === null) return billNext(before, items, dueAt, scheduled, ground.at)
  // A late worker finds both overdue. The original times then decide which comes first.
  const boundary = nextTimelineAt(before)
  if (boundary !== null && isAfter(lifecycleStep.at, boundary))
    return billNext(before, items, boundary, scheduled, ground.at)
  const aggregate = takeLifecycleStep(before, lifecycleStep, ground)
  return beginsFirstPeriod(aggregate)
    ? billNext(aggregate, items, lifecycleStep.at, scheduled, ground.at)
    : { ...billWaiting(aggregate, ground.at), items }
}
