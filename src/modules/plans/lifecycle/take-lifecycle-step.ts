import type { Instant } from '#kernel/clock'
import { cancelNow } from '../timeline/cancel-now.ts'
import { withoutPause, withPause } from './decide-lifecycle.ts'
import type { LifecycleStep } from '../model/lifecycle-step.ts'
import { currentCycle, type PlanAggregate, withEvent, withPlan } from '../model/plan.ts'

export interface StepGround {
  readonly at: Instant
  readonly hasChargeableToken: boolean
}

export function takeLifecycleStep(
  aggregate: PlanAggregate,
  step: LifecycleStep,
  { at, hasChargeableToken }: StepGround,
): PlanAggregate {
  switch (step.kind) {
    case 'cancellation':
      return cancelNow(aggregate, at)
    case 'pause_end':
      return withoutPause(aggregate, step.at, { bySchedule: true })
    case 'trial_notice':
      return announceTrialEnd(aggregate)
    case 'trial_end':
      return endTrial(aggregate, at, hasChargeableToken)
  }
}

function announceTrialEnd(aggregate: PlanAggregate): PlanAggregate {
  const { trial } = aggregate.plan
  if (trial === null) return aggregate
  return withEvent(withPlan(aggregate, { trial: { ...trial, noticeAt: null } }), {
    type: 'plan.trial_will_end',
  })
}

/** A plan that is paused at the end of its trial begins its first period at the resumption. */
function endTrial(aggregate: PlanAggregate, at: Instant, hasChargeableToken: boolean): PlanAggregate {
  const { trial, paused } = aggregate.plan
  if (trial === null) return aggregate
  const decision = hasChargeableToken ? 'bill' : trial.withoutToken
  const state = !paused && decision === 'bill' ? 'converted' : 'ended'
  const ended = withEvent(withPlan(aggregate, { trial: { ...trial, state, noticeAt: null } }), {
    type: 'plan.trial_ended',
  })
  if (paused || decision === 'bill') return ended
  return decision === 'cancel' ? cancelNow(ended, at) : withPause(ended, at, null)
}

/** Whether the first period begins with this step, which then bills it. */
export function beginsFirstPeriod(aggregate: PlanAggregate): boolean {
  return aggregate.plan.trial?.state === 'converted' && currentCycle(aggregate).start === null
}
