import { catalogueErrors as errors } from '#modules/catalogue'
import { hasEnded, type Plan, type PlanAggregate } from './plan.ts'

export function refuseUnlessRecoverable({ plan }: PlanAggregate): void {
  if (hasEnded(plan)) throw errors.plan_ended({ message: endedMessage(plan) })
  if (plan.permanentlyUncollectible) throw errors.plan_permanently_uncollectible()
}

export function endedMessage({ state }: Plan): string {
  return state === 'canceled'
    ? 'The plan is canceled. Reactivate it to bill its customer again.'
    : 'The plan is completed. Create a new plan to bill its customer again.'
}
