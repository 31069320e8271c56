import type { PaymentResult } from '#modules/payments'
import type { PlansContext, PlansSavedHandler } from '#modules/plans'
import type { AppliedChange } from './paid-first/applied-change.ts'
import type { BillingDependencies } from './dependencies.ts'

export interface BillingContext extends BillingDependencies {
  readonly savedHandlers: PlansSavedHandler[]
  readonly present: PlansContext['present'] & {
    readonly payment: (result: Omit<PaymentResult, 'kind' | 'fallback'>) => object
    readonly planChange: (change: AppliedChange) => object
  }
}
