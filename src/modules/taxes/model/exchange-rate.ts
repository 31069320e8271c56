import { type Currency, minorDigits } from '#kernel/currencies'
import { type Decimal, divideHalfUp, timesDecimals } from '#kernel/decimal'
import { Money } from '#kernel/money'

/** For how many days after its own a rate is used, if there is no newer one. */
export const RATE_DAYS = 7

/**
 * - `date`: A local date, YYYY-MM-DD.
 * - `rate`: One unit of `base` in `quote`.
 */
export interface ExchangeRate {
  readonly date: string
  readonly base: Currency
  readonly quote: Currency
  readonly rate: Decimal
}

/**
 * What finds a rate.
 * - `date`: The day on which it is needed.
 */
export interface RateKey {
  readonly from: Currency
  readonly to: Currency
  readonly date: string
}

/** Converts an amount of one of the two currencies into the other, rounded once. */
export function convert(amount: Money, { base, quote, rate }: ExchangeRate): Money {
  if (amount.currency === base) return Money.rounded(quote, timesDecimals(amount.toDecimal(), rate))
  if (amount.currency !== quote) throw new Error(`the rate of ${base} and ${quote} has no ${amount.currency}`)
  const scale = minorDigits(base) + rate.scale
  const minor = divideHalfUp(
    amount.minor * 10n ** BigInt(scale),
    rate.unscaled * 10n ** BigInt(minorDigits(quote)),
  )
  return Money.ofMinor(base, minor)
}
