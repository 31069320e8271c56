import type { Instant } from '#kernel/clock'
import type { Order } from './order.ts'
import type { Transaction } from './transaction.ts'

export type OrderVoidRefusal =
  | 'order_not_voidable'
  | 'already_settled'
  | 'payment_in_progress'
  | 'payment_in_use'

/** `pending`: the acquirer has received a void and reports its outcome later. `unknown`: the void goes on in the background. */
export type OrderVoidEnd =
  | { readonly kind: 'done' | 'pending' | 'unknown' | 'declined' | 'refused' }
  | { readonly kind: 'not_voidable'; readonly reason: OrderVoidRefusal }

export type OrderVoidResult = OrderVoidEnd & {
  readonly order: Order
  readonly transactions: readonly Transaction[]
  readonly at: Instant
}
