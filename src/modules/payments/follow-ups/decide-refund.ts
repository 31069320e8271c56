import type { Money } from '#kernel/money'
import { type AmountDecision, decideAmount } from '../model/decide-amount.ts'
import { type Transaction, usedOf } from '../model/transaction.ts'
import { isUnresolved } from '../model/transaction.states.ts'

export function decideRefund(
  original: Transaction,
  transactions: readonly Transaction[],
  amount: Money | undefined,
): AmountDecision<'transaction_not_refundable' | 'nothing_left_to_refund'> {
  if (original.type !== 'Sales' && original.type !== 'Capture') {
    return { ok: false, reason: 'transaction_not_refundable' }
  }
  if (isUnresolved(original.state) || original.voidPending) {
    return { ok: false, reason: 'payment_in_progress' }
  }
  if (original.state !== 'succeeded') return { ok: false, reason: 'transaction_not_refundable' }
  const { done, underWay } = usedOf(original, transactions)
  const left = original.amount.minus(done)
  if (left.isZero()) return { ok: false, reason: 'nothing_left_to_refund' }
  return decideAmount(amount, left, left.minus(underWay))
}
