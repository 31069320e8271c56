import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import { capabilitiesOf } from '#modules/acquirers'
import { type AmountDecision, decideAmount } from '../model/decide-amount.ts'
import { hasLapsed, type Transaction, usedOf } from '../model/transaction.ts'
import { isUnresolved } from '../model/transaction.states.ts'

export function decideCapture(
  authorization: Transaction,
  transactions: readonly Transaction[],
  amount: Money | undefined,
  at: Instant,
): AmountDecision<'transaction_not_capturable' | 'nothing_left_to_capture'> {
  if (authorization.type !== 'Authorization') return { refused: 'transaction_not_capturable' }
  if (isUnresolved(authorization.state) || authorization.voidPending) {
    return { refused: 'payment_in_progress' }
  }
  if (authorization.state !== 'authorized' || hasLapsed(authorization, at)) {
    return { refused: 'transaction_not_capturable' }
  }
  const { done, underWay } = usedOf(authorization, transactions)
  const left = authorization.amount.minus(done)
  if (left.isZero()) return { refused: 'nothing_left_to_capture' }
  const { multipleCaptures } = capabilitiesOf(authorization.acquirerName)
  if (!multipleCaptures && !underWay.isZero()) return { refused: 'payment_in_progress' }
  return decideAmount(amount, left, left.minus(underWay))
}
