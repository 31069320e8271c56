import type { Instant } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import type { Order } from './order.ts'
import type { Transaction } from './transaction.ts'

/** What happened to one order and its transactions at once. The order is locked. */
export interface OrderChange {
  /** The business's time at which the order itself last changed: now, unless only transactions changed. */
  readonly at: Instant
  /** Null when the order was just made. */
  readonly before: Order | null
  readonly order: Order
  /** Only those that changed; `before` is null for one that was just made. */
  readonly transactions: readonly { readonly before: Transaction | null; readonly transaction: Transaction }[]
  /** All of the order, as they are now. */
  readonly allTransactions: readonly Transaction[]
}

/**
 * What another module does when orders change. Runs in the same transaction with the orders locked, and may lock plans and
 * cycles, never orders.
 */
export type OrdersChangedHandler = (tx: Tx, changes: readonly OrderChange[]) => Promise<void>
