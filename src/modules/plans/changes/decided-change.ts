import type { Instant } from '#kernel/clock'
import { type Money, sumMoney } from '#kernel/money'
import type { Refused } from '#kernel/refusal'
import type { Line } from '#modules/catalogue'
import { lineTotal } from '#modules/payments'
import type { OrderBill } from '../amounts/bill-next.ts'
import type { PlanItems, ReplacedCycles } from '../model/plan-items.ts'
import type { PlanAggregate } from '../model/plan.ts'
import type { Priced } from './price-change.ts'

/**
 * - `proration`: How the change was priced; null if it was not.
 * - `waiting`: What waits for the next order.
 */
export interface DecidedChange {
  readonly aggregate: PlanAggregate
  readonly items: PlanItems
  readonly replaced: ReplacedCycles | null
  readonly state: 'applied' | 'scheduled'
  readonly effectiveAt: Instant
  readonly proration: Priced | null
  readonly credits: readonly { readonly orderId: string; readonly amount: Money }[]
  readonly waiting: readonly Line[]
  readonly order: OrderBill | null
}

export type ChangeRefusal = Refused<
  | 'plan_not_changeable'
  | 'payment_in_progress'
  | 'nothing_changes'
  | 'change_pending'
  | 'proration_date_invalid'
>

/** The total of the order, or of the lines that wait. */
export function totalOf({ order, waiting, aggregate }: DecidedChange): Money {
  return order?.lines.total ?? sumMoney(aggregate.plan.credit.currency, waiting.map(lineTotal))
}
