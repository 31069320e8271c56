import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import type { Line } from '../billing/order-lines.ts'

/** What plans sell. Never changed after it was made. */
export interface RecurringItem {
  readonly id: string
  readonly label: string
  readonly price: Money
  readonly referenceId: string | null
  readonly description: string | null
  readonly createdAt: Instant
}

/** An item of a cycle. */
export interface CycleItem {
  readonly item: RecurringItem
  readonly quantity: number
}

/** As an order's lines and the cycle's billing_amount want it. */
export function pricedItem({ item, quantity }: CycleItem): Line {
  return { label: item.label, price: item.price, quantity }
}
