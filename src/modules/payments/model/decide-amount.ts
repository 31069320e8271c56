import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import type { Refused } from '#kernel/refusal'
import { dueTotal, freeTotal, isPayable, type Order } from './order.ts'

export type AmountDecision<Refusal extends string = never> =
  | { readonly amount: Money }
  | Refused<Refusal | 'amount_too_large' | 'payment_in_progress'>

/**
 * Decides the amount to take: the requested amount, or else all of `free`. An amount above `left` is too large. An amount
 * within `left` but above `free` conflicts with an open operation (reference/payments#reservations).
 */
export function decideAmount(requested: Money | undefined, left: Money, free: Money): AmountDecision {
  const amount = requested ?? free
  if (amount.greaterThan(left)) return tooLarge(left)
  if (!amount.isPositive() || amount.greaterThan(free)) return { refused: 'payment_in_progress' }
  return { amount }
}

export function tooLarge(left: Money): Refused<'amount_too_large'> {
  const most = left.isPositive() ? left.toString() : '0'
  return {
    refused: 'amount_too_large',
    message: `The amount must be at most ${most}, which is what is left.`,
  }
}

export function decidePayment(
  order: Order,
  amount: Money | undefined,
  at: Instant,
): AmountDecision<'order_not_payable'> {
  if (!isPayable(order, at)) return { refused: 'order_not_payable' }
  return decideAmount(amount, dueTotal(order), freeTotal(order))
}
