import type { Instant } from '#kernel/clock'
import type { Order } from '../model/order.ts'
import type { Transaction } from '../model/transaction.ts'
import type { OrderVoidRefusal } from '../voids/decide-void-order.ts'

/** `pending`: the acquirer has received a void and tells its outcome later. `unknown`: the void goes on in the background. */
export type OrderVoidEnd =
  | { readonly kind: 'done' | 'pending' | 'unknown' | 'declined' | 'refused' }
  | { readonly kind: 'not_voidable'; readonly reason: OrderVoidRefusal }

export type OrderVoidResult = OrderVoidEnd & {
  readonly order: Order
  readonly transactions: readonly Transaction[]
  readonly at: Instant
}
