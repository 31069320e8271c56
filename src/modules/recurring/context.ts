import type { Customer, PaymentToken } from '#modules/customers'
import type { OrderWithTransactions } from '#modules/payments'
import type { RecurringDependencies } from './dependencies.ts'
import type { CycleItem, Product, RecurringItem } from './model/catalogue.ts'
import type { DunningPolicy } from './model/dunning-policy.ts'
import type { AsOf, Coupon } from './model/coupon.ts'
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
  readonly product: (product: Product) => object
  readonly price: (price: RecurringItem) => object
  readonly dunningPolicy: (policy: DunningPolicy) => object
  readonly coupon: (coupon: AsOf<Coupon>) => object
}

export interface RecurringContext extends RecurringDependencies {
  readonly present: Presentation
}
