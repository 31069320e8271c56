import { type Instant, isAfter } from '#kernel/clock'
import { beginsFirstPeriod, type StepGround, takeLifeStep } from './take-life-step.ts'
import { nextLifeStep } from '../model/life-step.ts'
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
  const lifeStep = nextLifeStep(before)
  if (lifeStep === null) return billNext(before, items, dueAt, scheduled, ground.at)
  // A late worker finds both overdue. The original times then decide which comes first.
  const boundary = nextTimelineAt(before)
  if (boundary !== null && isAfter(lifeStep.at, boundary))
    return billNext(before, items, boundary, scheduled, ground.at)
  const aggregate = takeLifeStep(before, lifeStep, ground)
  return beginsFirstPeriod(aggregate)
    ? billNext(aggregate, items, lifeStep.at, scheduled, ground.at)
    : { ...billWaiting(aggregate, ground.at), items }
}
