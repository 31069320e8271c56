import type { Money } from '#kernel/money'

/** How much is taken, or why nothing is. */
export type AmountDecision<Refusal = never> =
  | { readonly ok: true; readonly amount: Money }
  | { readonly ok: false; readonly reason: Refusal | 'amount_too_large' | 'payment_in_progress' }

/**
 * Decides how much of what is `left` is taken: the amount that was asked for, or else all that is `free`. More than is left
 * is too large; what fits it but not what is free meets something under way (decisions, section 3).
 */
export function decideAmount(asked: Money | undefined, left: Money, free: Money): AmountDecision {
  const amount = asked ?? free
  if (amount.greaterThan(left)) return { ok: false, reason: 'amount_too_large' }
  if (!amount.isPositive() || amount.greaterThan(free)) return { ok: false, reason: 'payment_in_progress' }
  return { ok: true, amount }
}
