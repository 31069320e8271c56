import type { Instant } from '#kernel/clock'
import type { Refused } from '#kernel/refusal'
import { isSuccessful, type Transaction, usedOf } from '../model/transaction.ts'
import { isSettled } from '../outcomes/settlement.ts'
import { isUnresolved } from '../model/transaction.states.ts'

export type VoidRefusal = 'transaction_not_voidable' | 'already_settled' | 'payment_in_progress'

/**
 * Refuses a void, or returns null. The captures of an authorization are voided first. An open void
 * of the transaction does not prevent another request, which resumes the void.
 */
export function decideVoidTransaction(
  transaction: Transaction,
  transactions: readonly Transaction[],
  now: Instant,
): Refused<VoidRefusal> | null {
  if (transaction.type === 'Refund') return { refused: 'transaction_not_voidable' }
  if (isUnresolved(transaction.state)) return { refused: 'payment_in_progress' }
  if (!isSuccessful(transaction)) return { refused: 'transaction_not_voidable' }
  if (isSettled(transaction, now)) return { refused: 'already_settled' }
  const { done, underWay } = usedOf(transaction, transactions)
  if (!done.isZero()) return { refused: 'transaction_not_voidable' }
  return underWay.isZero() ? null : { refused: 'payment_in_progress' }
}
