import type { Money } from '#kernel/money'
import type { Instant } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import type { InvoicesDependencies } from './dependencies.ts'
import type { IssuedInvoice } from './model/issued-invoice.ts'

export interface PlanCredit {
  readonly planId: string
  readonly orderId: string
  readonly amount: Money
  readonly note: string
  readonly at: Instant
}

/**
 * What a module above does with documents of its plans, in the transaction that changes the documents.
 * - `onOverdue`: Gets the orders of invoices that have just become overdue; they are locked.
 * - `addCredit`: Adds to the credit of a plan.
 * - `lockPlan`: Locks a plan before the caller takes numbers.
 */
export interface PlanHandler {
  readonly onOverdue: (
    tx: Tx,
    orders: readonly { readonly orderId: string; readonly at: Instant }[],
  ) => Promise<void>
  readonly addCredit: (tx: Tx, credit: PlanCredit) => Promise<void>
  readonly lockPlan: (tx: Tx, planId: string) => Promise<void>
}

/** Handles documents in the transaction that issues them, with the order of each locked or new. */
export type IssuedHandler = (tx: Tx, documents: readonly IssuedInvoice[]) => Promise<void>

/**
 * What settled a part of an order besides money and credit notes.
 * - `kind`: What was written off is not due any more; what moved to the credit of a plan no longer pays the order.
 * - `transactionId`: Of the payment at which it was written off, and with whose undo the write-off ends; else null.
 */
export interface Settlement {
  readonly orderId: string
  readonly kind: 'write_off' | 'moved_to_credit'
  readonly id: string
  readonly amount: Money
  readonly at: Instant
  readonly transactionId: string | null
}

/** Returns by transaction who sent a transfer, as the bank names them. */
export type PayerReader = (tx: Tx, transactionIds: readonly string[]) => Promise<ReadonlyMap<string, string>>

export type SettlementReader = (tx: Tx, orderIds: readonly string[]) => Promise<readonly Settlement[]>

/** Returns the orders of which something was written off or reversed in a time, its end excluded. */
export type WriteOffFinder = (tx: Tx, from: Instant, to: Instant) => Promise<readonly string[]>

interface Presentation {
  readonly event: (document: IssuedInvoice) => object
}

export interface InvoicesContext extends InvoicesDependencies {
  readonly present: Presentation
  readonly planHandlers: PlanHandler[]
  readonly issuedHandlers: IssuedHandler[]
  readonly settlementReaders: SettlementReader[]
  readonly payerReaders: PayerReader[]
  readonly writeOffFinders: WriteOffFinder[]
}
