import type { Money } from '#kernel/money'

export type AmountDecision<Refusal = never> =
  | { readonly ok: true; readonly amount: Money }
  | { readonly ok: false; readonly reason: Refusal | 'amount_too_large' | 'payment_in_progress' }

/**
 * Decides the amount to take: the requested amount, or else all of `free`. An amount above `left` is too large. An amount
 * within `left` but above `free` conflicts with an open operation (reference/payments#reservations).
 */
export function decideAmount(requested: Money | undefined, left: Money, free: Money): AmountDecision {
  const amount = requested ?? free
  if (amount.greaterThan(left)) return { ok: false, reason: 'amount_too_large' }
  if (!amount.isPositive() || amount.greaterThan(free)) return { ok: false, reason: 'payment_in_progress' }
  return { ok: true, amount }
}
