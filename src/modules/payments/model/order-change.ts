import type { Instant } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import type { Order } from './order.ts'
import type { Transaction } from './transaction.ts'

/** What voids an order: its merchant, the end of its grace, or a credit or write-off of all that was to be paid. */
export type VoidCause = 'merchant' | 'grace' | 'credit' | 'write_off'

/** Whether nothing of a voided order was owed any more. It keeps what it used of its plan's credit. */
export function isForgiven(voidedBy: VoidCause | null): boolean {
  return voidedBy === 'credit' || voidedBy === 'write_off'
}

/**
 * The changes of one order and its transactions in one database transaction. The order is locked. `at` is when the order
 * itself last changed, on the business's clock: now, unless only transactions changed.
 */
export interface OrderChange {
  readonly at: Instant
  readonly before: Order | null
  readonly order: Order
  readonly transactions: readonly { readonly before: Transaction | null; readonly transaction: Transaction }[]
  readonly allTransactions: readonly Transaction[]
  readonly voidedBy: VoidCause | null
}

/**
 * Notifies handlers and receivers of a change that another module makes in its own transaction.
 * - `module`: The module that applies the change to its own rows; its handler ignores the change.
 * - `callbackUrls`: URLs that receive the orders' events, by order id. They are used until the module has written its
 *   own rows.
 */
export interface OrderChangeOrigin {
  readonly module: 'recurring' | 'invoices'
  readonly callbackUrls: ReadonlyMap<string, string>
}

/**
 * Handles changed orders in the transaction that changes them. The orders are locked. A handler may lock plans and cycles,
 * never orders.
 * @param origin what the caller passed to `createOrders` or `recordFailedCharges`
 */
export type OrdersChangedHandler = (
  tx: Tx,
  changes: readonly OrderChange[],
  origin: OrderChangeOrigin | undefined,
) => Promise<void>
