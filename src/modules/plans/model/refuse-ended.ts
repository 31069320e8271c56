import type { Refused } from '#kernel/refusal'
import { hasEnded, type Plan, type PlanAggregate } from './plan.ts'

export type EndedRefusal = Refused<'plan_ended' | 'plan_permanently_uncollectible'>

export function refuseUnlessRecoverable({ plan }: PlanAggregate): EndedRefusal | null {
  if (hasEnded(plan)) return { refused: 'plan_ended', message: endedMessage(plan) }
  return plan.permanentlyUncollectible ? { refused: 'plan_permanently_uncollectible' } : null
}

export function endedMessage({ state }: Plan): string {
  return state === 'canceled'
    ? 'The plan is canceled. Reactivate it to bill its customer again.'
    : 'The plan is completed. Create a new plan to bill its customer again.'
}
