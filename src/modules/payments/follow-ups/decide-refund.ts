import type { Money } from '#kernel/money'
import { type AmountDecision, decideAmount, tooLarge } from '../model/decide-amount.ts'
import { isMovedOutside, type Transaction, type Used, usedOf } from '../model/transaction.ts'
import { isUnresolved } from '../model/transaction.states.ts'

/** @param leftOfOrder what is left to give back of the whole order, if some of it went back as credit */
export function decideRefund(
  original: Transaction,
  transactions: readonly Transaction[],
  amount: Money | undefined,
  leftOfOrder: Money | undefined,
): AmountDecision<'transaction_not_refundable' | 'refund_by_hand' | 'nothing_left_to_refund'> {
  if (!isPayment(original)) return { refused: 'transaction_not_refundable' }
  if (isUnresolved(original.state) || original.voidPending) {
    return { refused: 'payment_in_progress' }
  }
  if (original.state !== 'succeeded') return { refused: 'transaction_not_refundable' }
  if (isMovedOutside(original)) return { refused: 'refund_by_hand' }
  const used = usedOf(original, transactions)
  const left = original.amount.minus(used.done)
  if (left.isZero()) return { refused: 'nothing_left_to_refund' }
  const free = left.minus(used.underWay)
  if (leftOfOrder === undefined || !leftOfOrder.lessThan(free)) return decideAmount(amount, left, free)
  if (!free.isPositive()) return { refused: 'payment_in_progress' }
  const isTooLarge = !leftOfOrder.isPositive() || amount?.greaterThan(leftOfOrder) === true
  if (isTooLarge) return tooLarge(leftOfOrder)
  return decideAmount(amount, left, leftOfOrder)
}

/** Whether a refund is offered. While another operation is under way, the refund itself is still refused. */
export function isRefundable(transaction: Transaction, { done }: Used): boolean {
  return (
    isPayment(transaction) &&
    !isMovedOutside(transaction) &&
    transaction.state === 'succeeded' &&
    done.lessThan(transaction.amount)
  )
}

function isPayment({ type }: Transaction): boolean {
  return type === 'Sales' || type === 'Capture'
}
