import { type Currency, isCurrency, minorDigits } from '#kernel/currencies'
import { divideHalfUp } from '#kernel/decimal'
import { Money } from '#kernel/money'

/** Where Stripe's minor units differ from ISO 4217 (https://docs.stripe.com/currencies, special cases). */
const STRIPE_DIGITS: ReadonlyMap<Currency, number> = new Map([
  ['ISK', 2],
  ['UGX', 2],
  ['MGA', 0],
])
/** Stripe has no currency with more decimals. */
const MAX_DIGITS = 3

export type StripeAmount = { readonly amount: bigint } | { readonly problem: string }

export function toStripeAmount({ currency, minor }: Money): StripeAmount {
  const digits = minorDigits(currency)
  const stripeDigits = stripeDigitsOf(currency)
  if (digits > MAX_DIGITS) return { problem: `Stripe does not take ${currency}.` }
  const step = digits === MAX_DIGITS ? 10n : 10n ** BigInt(Math.max(0, digits - stripeDigits))
  if (minor % step !== 0n) {
    return {
      problem: `Stripe takes amounts in ${currency} only in steps of ${Money.ofMinor(currency, step).toString()}.`,
    }
  }
  return { amount: rescale(minor, digits, stripeDigits) }
}

export function fromStripeAmount(currency: Currency, amount: bigint): bigint {
  return rescale(amount, stripeDigitsOf(currency), minorDigits(currency))
}

export function currencyOf(value: unknown): Currency | null {
  const code = typeof value === 'string' ? value.toUpperCase() : ''
  return isCurrency(code) ? code : null
}

function stripeDigitsOf(currency: Currency): number {
  return STRIPE_DIGITS.get(currency) ?? minorDigits(currency)
}

function rescale(amount: bigint, from: number, to: number): bigint {
  return to >= from ? amount * 10n ** BigInt(to - from) : divideHalfUp(amount, 10n ** BigInt(from - to))
}
