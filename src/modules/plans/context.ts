import type { CycleItem } from '#modules/catalogue'
import type { Customer, PaymentToken } from '#modules/customers'
import type { OrderWithTransactions } from '#modules/payments'
import type { PlansDependencies } from './dependencies.ts'
import type { PlanAggregate, PlanEvent } from './model/plan.ts'

/**
 * A plan with what belongs to it elsewhere, read in the same snapshot.
 * - `items`: By the position of their cycle.
 */
export interface PlanView {
  readonly aggregate: PlanAggregate
  readonly items: readonly (readonly CycleItem[])[]
  readonly customer: Customer | undefined
  readonly defaultToken: PaymentToken | undefined
  readonly currentOrder: OrderWithTransactions | undefined
  readonly paymentLink: string | undefined
}

/** - `eventData`: Renders the plan once, for the `data` of each of its events. */
interface Presentation {
  readonly eventData: (view: PlanView) => (event: PlanEvent) => object
}

/** What the module that serves the plans' routes gives to the use cases. */
export interface PlansContext extends PlansDependencies {
  readonly present: Presentation
}
