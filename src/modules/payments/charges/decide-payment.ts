import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import { type AmountDecision, decideAmount } from '../model/decide-amount.ts'
import { dueTotal, freeTotal, isPayable, type Order } from '../model/order.ts'

export function decidePayment(
  order: Order,
  amount: Money | undefined,
  at: Instant,
): AmountDecision<'order_not_payable'> {
  if (!isPayable(order, at)) return { refused: 'order_not_payable' }
  return decideAmount(amount, dueTotal(order), freeTotal(order))
}
