import { type Instant, isBefore } from '#kernel/clock'
import type { Money } from '#kernel/money'
import { type AmountDecision, decideAmount } from '../model/decide-amount.ts'
import { dueTotal, freeTotal, type Order } from '../model/order.ts'

export function decidePayment(
  order: Order,
  amount: Money | undefined,
  at: Instant,
): AmountDecision<'order_not_payable'> {
  if (!isPayable(order, at)) return { ok: false, reason: 'order_not_payable' }
  return decideAmount(amount, dueTotal(order), freeTotal(order))
}

export function isPayable(order: Order, at: Instant): boolean {
  return order.state === 'open' && order.voiding === null && !isExpired(order, at)
}

function isExpired(order: Order, at: Instant): boolean {
  return (
    order.expiresAt !== null &&
    !isBefore(at, order.expiresAt) &&
    order.paidTotal.isZero() &&
    order.reservedTotal.isZero()
  )
}
