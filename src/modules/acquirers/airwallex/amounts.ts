import { type Currency, isCurrency, minorDigits } from '#kernel/currencies'
import { divideHalfUp } from '#kernel/decimal'
import { rawNumber } from '#kernel/json'
import { Money } from '#kernel/money'

/** As Airwallex's own plugin writes amounts; all other currencies have two decimals (reference/acquirers#airwallex). */
const DIGITS: ReadonlyMap<string, number> = new Map([
  ...['CLP', 'HUF', 'IDR', 'ISK', 'JPY', 'KRW', 'PYG', 'TWD', 'UGX', 'VND'].map((one) => [one, 0] as const),
  ...['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].map((one) => [one, 3] as const),
])
const NUMBER = /^(-?)(\d{1,18})(?:\.(\d{1,6}))?$/

/** A number in major units, exactly as it is written. */
export type AirwallexAmount = { readonly amount: unknown } | { readonly problem: string }

export function toAirwallexAmount({ currency, minor }: Money): AirwallexAmount {
  const digits = minorDigits(currency)
  const taken = DIGITS.get(currency) ?? 2
  const step = 10n ** BigInt(Math.max(0, digits - taken))
  if (minor % step !== 0n) {
    const smallest = Money.ofMinor(currency, step).toString()
    return { problem: `Airwallex takes amounts in ${currency} only in steps of ${smallest}.` }
  }
  return { amount: rawNumber(Money.ofMinor(currency, minor).toString()) }
}

/** Minor units by our table. Null for what is no number of at most six decimals. */
export function minorOf(currency: Currency, value: unknown): bigint | null {
  if (typeof value !== 'number') return null
  const [, sign, whole = '', fraction = ''] = NUMBER.exec(String(value)) ?? []
  if (sign === undefined) return null
  const digits = minorDigits(currency)
  const scaled = BigInt(whole + fraction.padEnd(6, '0')) * 10n ** BigInt(digits)
  const minor = divideHalfUp(scaled, 10n ** 6n)
  return sign === '-' ? -minor : minor
}

export function currencyOf(value: unknown): Currency | null {
  return typeof value === 'string' && isCurrency(value) ? value : null
}
