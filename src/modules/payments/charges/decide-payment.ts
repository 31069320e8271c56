import { type Instant, isBefore } from '#kernel/clock'
import type { Money } from '#kernel/money'
import { type AmountDecision, decideAmount } from './decide-amount.ts'
import { freeTotal, type Order, unpaidTotal } from '../model/order.ts'

/** Decides a payment of `amount`, or of all that is left when it is undefined. */
export function decidePayment(
  order: Order,
  amount: Money | undefined,
  at: Instant,
): AmountDecision<'order_not_payable'> {
  if (!isPayable(order, at)) return { ok: false, reason: 'order_not_payable' }
  return decideAmount(amount, unpaidTotal(order), freeTotal(order))
}

/** Whether the order takes payments at all. */
export function isPayable(order: Order, at: Instant): boolean {
  return order.state === 'open' && order.voiding === null && !hasRunOut(order, at)
}

/** Whether the order's time has run out with nothing paid or under way, whether or not the due work has come to it. */
function hasRunOut(order: Order, at: Instant): boolean {
  return (
    order.expiresAt !== null &&
    !isBefore(at, order.expiresAt) &&
    order.paidTotal.isZero() &&
    order.reservedTotal.isZero()
  )
}
