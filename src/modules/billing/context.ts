import type { PlansContext } from '#modules/plans'
import type { BillingDependencies } from './dependencies.ts'

export interface BillingContext extends BillingDependencies {
  readonly present: PlansContext['present']
}
