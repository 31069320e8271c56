import type { Instant } from '#kernel/clock'
import { addDuration } from '#kernel/duration'
import { isFinal } from '../model/cycle.states.ts'
import { isOpen, type PlanAggregate, transition, withCycle, withEvent, withPlan } from '../model/plan.ts'
import { canceledTrial } from '../model/trial.ts'

export function cancelNow(aggregate: PlanAggregate, at: Instant): PlanAggregate {
  let canceled: PlanAggregate = {
    ...aggregate,
    orders: aggregate.orders.map((order) => (isOpen(order) ? { ...order, nextAttemptAt: null } : order)),
  }
  for (const cycle of aggregate.cycles) {
    canceled = transition(canceled, cycle.position, 'cancel', { silent: true })
    if (cycle.start !== null && cycle.endAt === null && !isFinal(cycle.state)) {
      canceled = withCycle(canceled, cycle.position, { endAt: at })
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

/** Unblocks the orders: a blocked attempt is no longer made, so it must not delay the void. */
export function startGrace(aggregate: PlanAggregate, at: Instant): PlanAggregate {
  const { gracePeriod, zone } = aggregate.plan
  if (gracePeriod === null) return aggregate
  const voidAt = addDuration(at, { days: gracePeriod }, zone)
  return {
    ...aggregate,
    orders: aggregate.orders.map((order) =>
      isOpen(order) && order.voidAt === null ? { ...order, voidAt, blocked: false } : order,
    ),
  }
}
