import type { Instant } from '#kernel/clock'
import { isSuccessful, type Transaction, usedOf } from '../model/transaction.ts'
import { isSettled } from '../outcomes/settlement.ts'
import { isUnresolved } from '../model/transaction.states.ts'

export type VoidRefusal = 'transaction_not_voidable' | 'already_settled' | 'payment_in_progress'

/**
 * Returns why a transaction cannot be voided; null if it can. The captures of an authorization are voided first. An open void
 * of the transaction does not prevent another request, which resumes the void.
 */
export function decideVoidTransaction(
  transaction: Transaction,
  transactions: readonly Transaction[],
  now: Instant,
): VoidRefusal | null {
  if (transaction.type === 'Refund') return 'transaction_not_voidable'
  if (isUnresolved(transaction.state)) return 'payment_in_progress'
  if (!isSuccessful(transaction)) return 'transaction_not_voidable'
  if (isSettled(transaction, now)) return 'already_settled'
  const { done, underWay } = usedOf(transaction, transactions)
  if (!done.isZero()) return 'transaction_not_voidable'
  return underWay.isZero() ? null : 'payment_in_progress'
}
