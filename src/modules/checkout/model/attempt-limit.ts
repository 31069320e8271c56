import type { Transaction } from '#modules/payments'

/**
 * Attempts to pay one order through its links, whatever their outcome. A payer owns a few cards, so more attempts mean
 * that somebody tests stolen card numbers or fills the database.
 */
const MAX_ATTEMPTS = 20

/**
 * API and recurring charges use stored tokens. They do not count, and the limit does not stop them. A fallback belongs to the
 * attempt before it.
 */
function isLinkAttempt({ type, paymentMethod, fallbackOf }: Transaction): boolean {
  return type === 'Sales' && paymentMethod !== 'payment_token' && fallbackOf === null
}

/** Bounds the attempts with saved cards, which cannot be distinguished from those of the API. */
export function areTokenAttemptsExhausted(transactions: readonly Transaction[]): boolean {
  const attempts = transactions.filter(({ type, fallbackOf }) => type === 'Sales' && fallbackOf === null)
  return attempts.length >= MAX_ATTEMPTS
}

export function areAttemptsExhausted(transactions: readonly Transaction[]): boolean {
  return transactions.filter(isLinkAttempt).length >= MAX_ATTEMPTS
}
