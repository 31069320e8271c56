import type { Instant } from '#kernel/clock'
import { payerDeadline } from '#kernel/inquiry-times'
import type { Money } from '#kernel/money'
import type { Tx } from '#platform/postgres/database'
import type { Operation } from '../model/operation.ts'
import { decideExpiry, type Order } from '../model/order.ts'
import { hasLapsed, type Transaction, usedOf } from '../model/transaction.ts'
import { decidableAt } from '../outcomes/inquiry-schedule.ts'
import { isSettled } from '../outcomes/settlement.ts'
import { findOpenOperations } from '../storage/operation.repository.ts'
import type { OrderWithTransactions } from '../storage/order-read.repository.ts'

/**
 * What happens next to an order (reference/timelines#next).
 * - `expiry`: The order expires. `waits`: it does not expire while a payment is under way.
 * - `authorization_expiry`: The rest of an authorization, `amount`, is released.
 * - `inquiry`: The acquirer is asked for an outcome. `decidableAt`, on the real clock, is when a person may decide it.
 * - `payer_inquiry`: The acquirer is asked whether the payer has confirmed. At `deadline` the payment is canceled.
 * - `send`: An operation that is queued is sent.
 * - `void`: The void of the whole order goes on.
 * - `settlement`: The payment settles. After that it can be refunded and no longer voided.
 */
export type OrderStep =
  | { readonly kind: 'expiry'; readonly at: Instant; readonly waits: boolean }
  | {
      readonly kind: 'authorization_expiry'
      readonly at: Instant
      readonly transaction: Transaction
      readonly amount: Money
    }
  | (OperationStep & { readonly kind: 'inquiry'; readonly inquiry: number; readonly decidableAt: Instant })
  | (OperationStep & { readonly kind: 'payer_inquiry'; readonly deadline: Instant })
  | (OperationStep & { readonly kind: 'send' })
  | { readonly kind: 'void'; readonly at: Instant; readonly mode: 'merchant' | 'grace' }
  | { readonly kind: 'settlement'; readonly at: Instant; readonly transaction: Transaction }

interface OperationStep {
  readonly at: Instant
  readonly operation: Operation['kind']
  readonly transaction: Transaction
}

export async function stepsOfOrder(
  tx: Tx,
  { order, transactions }: OrderWithTransactions,
): Promise<OrderStep[]> {
  const operations = await findOpenOperations(tx, transactions)
  return [
    ...operations.flatMap((operation) => operationSteps(operation, transactions)),
    ...voidSteps(order),
    ...expirySteps(order),
    ...transactions.flatMap((transaction) => transactionSteps(transaction, transactions, tx.now)),
  ]
}

function operationSteps(operation: Operation, transactions: readonly Transaction[]): OrderStep[] {
  const transaction = transactions.find(({ id }) => id === operation.transactionId)
  if (transaction === undefined) return []
  const step = { at: operation.dueAt, operation: operation.kind, transaction }
  const status = operation.kind === 'void' && operation.status === 'pending' ? 'unknown' : operation.status
  switch (status) {
    case 'queued':
      return [{ ...step, kind: 'send' }]
    case 'pending':
      return [{ ...step, kind: 'payer_inquiry', deadline: payerDeadline(operation.startedAt) }]
    case 'sent':
    case 'unknown':
      return [
        { ...step, kind: 'inquiry', inquiry: operation.inquiries + 1, decidableAt: decidableAt(operation) },
      ]
  }
}

function voidSteps({ voiding }: Order): OrderStep[] {
  return voiding === null ? [] : [{ kind: 'void', at: voiding.dueAt, mode: voiding.mode }]
}

function expirySteps(order: Order): OrderStep[] {
  const { expiresAt } = order
  const expiry = decideExpiry(order)
  if (order.state !== 'open' || expiresAt === null || expiry === 'never') return []
  return [{ kind: 'expiry', at: expiresAt, waits: expiry === 'waits' }]
}

function transactionSteps(
  transaction: Transaction,
  transactions: readonly Transaction[],
  now: Instant,
): OrderStep[] {
  const { state, expiresAt, settlesAt } = transaction
  if (state === 'authorized' && expiresAt !== null && !hasLapsed(transaction, now)) {
    const amount = transaction.amount.minus(usedOf(transaction, transactions).done)
    return [{ kind: 'authorization_expiry', at: expiresAt, transaction, amount }]
  }
  if (state === 'succeeded' && settlesAt !== null && !isSettled(transaction, now)) {
    return [{ kind: 'settlement', at: settlesAt, transaction }]
  }
  return []
}
