import { type Currency, isCurrency, minorDigits } from '#kernel/currencies'
import { Money } from '#kernel/money'

/** Where Adyen departs from ISO 4217: docs.adyen.com/development-resources/currency-codes. */
const OWN_DIGITS: Readonly<Record<Currency, number>> = { CLP: 2, CVE: 0, IDR: 0, ISK: 2 }

export interface AdyenAmount {
  readonly currency: string
  readonly value: number
}

export function toAdyenAmount({ currency, minor }: Money): AdyenAmount | null {
  const shift = adyenDigits(currency) - minorDigits(currency)
  const scale = 10n ** BigInt(Math.abs(shift))
  if (shift < 0 && minor % scale !== 0n) return null
  const value = Number(shift < 0 ? minor / scale : minor * scale)
  return Number.isSafeInteger(value) ? { currency, value } : null
}

export function fromAdyenAmount(currency: string, value: string): Money | null {
  if (!isCurrency(currency) || !/^-?\d{1,18}$/.test(value)) return null
  const shift = minorDigits(currency) - adyenDigits(currency)
  const scale = 10n ** BigInt(Math.abs(shift))
  const units = BigInt(value)
  if (shift < 0 && units % scale !== 0n) return null
  return Money.ofMinor(currency, shift < 0 ? units / scale : units * scale)
}

function adyenDigits(currency: Currency): number {
  return OWN_DIGITS[currency] ?? minorDigits(currency)
}
