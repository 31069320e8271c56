import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import type { Line } from '../billing/order-lines.ts'

/** Items never change, so a price is fixed for the life of a plan. */
export interface RecurringItem {
  readonly id: string
  readonly label: string
  readonly price: Money
  readonly referenceId: string | null
  readonly description: string | null
  readonly createdAt: Instant
}

export interface CycleItem {
  readonly item: RecurringItem
  readonly quantity: number
}

export function pricedItem({ item, quantity }: CycleItem): Line {
  return { label: item.label, price: item.price, quantity }
}
