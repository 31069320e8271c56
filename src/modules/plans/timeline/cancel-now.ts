import { billingIndexAfter } from '#kernel/calendar'
import type { Instant } from '#kernel/clock'
import { addDuration } from '#kernel/duration'
import { isFinal } from '../model/cycle.states.ts'
import {
  currentCycle,
  type Cycle,
  isOpen,
  type Plan,
  type PlanAggregate,
  type PlanOrder,
  sendsInvoices,
  transition,
  withCycle,
  withEvent,
  withPlan,
} from '../model/plan.ts'
import { endSuspension } from './timeline.ts'
import { scheduleOf } from '../model/cycle-schedule.ts'
import { canceledTrial } from '../model/trial.ts'

export function cancelNow(before: PlanAggregate, at: Instant): PlanAggregate {
  const aggregate = isPausedAcrossStart(before) ? endSuspension(before, at, justBefore(at)) : before
  let canceled: PlanAggregate = {
    ...aggregate,
    orders: aggregate.orders.map((order) => (isOpen(order) ? { ...order, nextAttemptAt: null } : order)),
  }
  for (const cycle of aggregate.cycles) {
    canceled = transition(canceled, cycle.position, 'cancel', { silent: true })
    if (cycle.start !== null && cycle.endAt === null && !isFinal(cycle.state)) {
      const nextPeriod = firstUnbilled(before.plan, cycle, at)
      canceled = withCycle(canceled, cycle.position, { endAt: at, nextPeriod })
    }
  }
  canceled = withPlan(canceled, {
    paused: false,
    pauseUntil: null,
    uncollectible: false,
    suspendedAt: null,
    cancelAt: null,
    pendingChange: null,
    trial: canceledTrial(aggregate.plan.trial),
  })
  return withEvent(startGrace(canceled, at), { type: 'plan.canceled' })
}

/** A plan that was paused before its start skips the periods that have begun since. */
function isPausedAcrossStart(aggregate: PlanAggregate): boolean {
  const { suspendedAt, trial } = aggregate.plan
  return suspendedAt !== null && trial === null && currentCycle(aggregate).start === null
}

function justBefore(at: Instant): Instant {
  return at.subtract({ milliseconds: 1 })
}

/** Periods that began while the plan was paused or uncollectible are skipped, as at a resumption. */
function firstUnbilled(plan: Plan, cycle: Cycle, at: Instant): number {
  if (plan.suspendedAt === null) return cycle.nextPeriod
  const index = billingIndexAfter(scheduleOf(plan, cycle), justBefore(at))
  return Math.max(cycle.nextPeriod, index)
}

/** Unblocks the orders: a blocked attempt is no longer made, so it must not delay the void. */
export function startGrace(aggregate: PlanAggregate, at: Instant): PlanAggregate {
  const { gracePeriod, zone } = aggregate.plan
  if (gracePeriod === null) return aggregate
  const voidAt = addDuration(at, { days: gracePeriod }, zone)
  return {
    ...aggregate,
    orders: aggregate.orders.map((order) =>
      isOpen(order) && order.voidAt === null && !isNotYetDue(aggregate, order)
        ? { ...order, voidAt, blocked: false }
        : order,
    ),
  }
}

/** The grace of an order whose invoice was sent begins when it is overdue. */
function isNotYetDue({ plan }: PlanAggregate, { retriesExhausted }: PlanOrder): boolean {
  return sendsInvoices(plan) && !retriesExhausted
}
