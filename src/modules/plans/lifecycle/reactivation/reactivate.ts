import { followingSchedule } from '#kernel/calendar'
import { type Instant, isAfter } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { Refused } from '#kernel/refusal'
import { advance, beginCycle, startCycle } from '../../timeline/timeline.ts'
import { cancelNow } from '../../timeline/cancel-now.ts'
import { scheduleOf } from '../../model/cycle-schedule.ts'
import {
  type Cycle,
  currentCycle,
  NEW_CYCLE,
  type PlanAggregate,
  withCycle,
  withEvent,
  withPlan,
} from '../../model/plan.ts'

export const REACTIVATE_FROM = ['now', 'missed'] as const

/** The bound of reference/billing-lifecycle#reactivate. */
const MAX_MISSED_PERIODS = 24

/** - `copied`: The positions of the old cycles that the new ones continue, in their order. */
interface Reactivation {
  readonly aggregate: PlanAggregate
  readonly added: readonly Cycle[]
  readonly copied: readonly number[]
}

/**
 * Continues a plan that has ended with its remaining periods, in new cycles after the old ones
 * (reference/billing-lifecycle#reactivate).
 */
export function reactivate(
  before: PlanAggregate,
  from: (typeof REACTIVATE_FROM)[number],
  at: Instant,
): Reactivation | Refused<'plan_not_reactivatable' | 'too_many_missed_periods'> {
  const last = currentCycle(before)
  const left = last.billingCount === null ? null : last.billingCount - last.ordersCreated
  const copied = before.cycles.slice(left === 0 ? last.position + 1 : last.position)
  const isOver = before.plan.state === 'canceled' || before.plan.permanentlyUncollectible
  if (!isOver || copied.length === 0) return { refused: 'plan_not_reactivatable' }
  const added = copied.map((cycle, index): Cycle => ({
    ...cycle,
    ...NEW_CYCLE,
    id: newId('rcy'),
    position: before.cycles.length + index,
    billingCount: cycle === last ? left : cycle.billingCount,
    createdAt: at,
    updatedAt: at,
  }))
  const revived = revivedPlan(before, added, at)
  const aggregate = from === 'now' ? beginCycle(revived, at) : onOldDates(revived, before, at)
  if (from === 'missed' && hasTooManyMissed(aggregate, at)) {
    return { refused: 'too_many_missed_periods', param: 'from' }
  }
  return { aggregate, added, copied: copied.map(({ position }) => position) }
}

function revivedPlan(before: PlanAggregate, added: readonly Cycle[], at: Instant): PlanAggregate {
  const canceled = before.plan.state === 'canceled' ? before : cancelNow(before, at)
  return withEvent(
    {
      ...withPlan(canceled, {
        state: 'upcoming',
        currentCycle: before.cycles.length,
        permanentlyUncollectible: false,
        cancellation: null,
      }),
      cycles: [...canceled.cycles, ...added],
      events: before.events,
    },
    { type: 'plan.reactivated' },
  )
}

function onOldDates(revived: PlanAggregate, before: PlanAggregate, at: Instant): PlanAggregate {
  const { plan } = before
  const last = currentCycle(before)
  const next = currentCycle(revived)
  if (last.start === null) {
    const { trial } = plan
    if (trial === null) return revived
    const state = isAfter(trial.end, at) ? 'running' : 'converted'
    return withPlan(revived, { trial: { ...trial, state } })
  }
  const old = scheduleOf(plan, last)
  const goesOn = last.billingCount !== last.ordersCreated
  const schedule = goesOn ? old : followingSchedule(old, last.nextPeriod, next.config)
  const nextPeriod = goesOn ? last.nextPeriod : 0
  return startCycle(withCycle(revived, next.position, { nextPeriod }), next, schedule)
}

function hasTooManyMissed(aggregate: PlanAggregate, at: Instant): boolean {
  let step = advance(aggregate, at)
  for (let missed = 1; step.bill !== undefined; missed++) {
    if (missed > MAX_MISSED_PERIODS) return true
    step = advance(step.aggregate, at)
  }
  return false
}
