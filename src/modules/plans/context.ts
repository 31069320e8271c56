import type { Instant } from '#kernel/clock'
import type { CycleItem } from '#modules/catalogue'
import type { Customer, PaymentToken } from '#modules/customers'
import type { OrderWithTransactions } from '#modules/payments'
import type { Tx } from '#platform/postgres/database'
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

/** Handles changed plans in the transaction that saves them, under their locks. */
export type PlansSavedHandler = (tx: Tx, changes: readonly SavedPlan[]) => Promise<void>

export interface SavedPlan {
  readonly before: PlanAggregate
  readonly after: PlanAggregate
  readonly at: Instant
}

/** What the module that serves the plans' routes gives to the use cases. */
export interface PlansContext extends PlansDependencies {
  readonly savedHandlers: PlansSavedHandler[]
  readonly present: Presentation
}
