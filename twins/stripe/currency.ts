import { isCurrency } from '#kernel/currencies'
import { Money } from '#kernel/money'
import { invalidRequest } from './errors.ts'

/** Currencies whose amounts Stripe takes in whole units (docs.stripe.com/currencies). */
const ZERO_DECIMAL = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
/** Amounts have three decimals, of which the last must be 0. */
const THREE_DECIMAL = new Set('bhd jod kwd omr tnd'.split(' '))
/** Amounts have two decimals, which must be 00. */
const WHOLE_WITH_TWO_DECIMALS = new Set(['isk', 'ugx'])

/** Smallest charges, in Stripe's units. */
const MINIMUM: Readonly<Record<string, number>> = {
  usd: 50, aed: 200, aud: 50, bgn: 100, brl: 50, cad: 50, chf: 50, czk: 1500, dkk: 250, eur: 50, gbp: 30, hkd: 400,
  huf: 17500, inr: 50, jpy: 50, mxn: 1000, myr: 200, nok: 300, nzd: 50, pln: 200, ron: 200, sek: 300, sgd: 50, thb: 1000,
} // prettier-ignore
const MAXIMUM = 99_999_999

/** How many decimals Stripe's integer amounts have. */
export function stripeDecimals(currency: string): number {
  if (ZERO_DECIMAL.has(currency)) return 0
  return THREE_DECIMAL.has(currency) ? 3 : 2
}

/** An amount of Stripe as the decimal that ISO 4217 gives the currency: 500 JPY is `500`, 500 USD is `5.00`. */
export function decimalOf(amount: number, currency: string): string {
  const decimals = stripeDecimals(currency)
  const digits = String(amount).padStart(decimals + 1, '0')
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
  return Money.ofDecimal(currency.toUpperCase(), text).toString()
}

export function readCurrency(text: string): string {
  const currency = text.toLowerCase()
  if (isCurrency(currency.toUpperCase())) return currency
  throw invalidRequest(`Invalid currency: ${text}.`, { param: 'currency' })
}

export function checkChargeAmount(amount: number, currency: string): void {
  if (amount < 1) {
    throw invalidRequest(
      'The amount must be greater than or equal to the minimum charge amount allowed for your account and the currency set.',
      { code: 'parameter_invalid_integer', param: 'amount' },
    )
  }
  if (amount > MAXIMUM) {
    throw invalidRequest('Amount must be no more than 999,999.99.', {
      code: 'amount_too_large',
      param: 'amount',
    })
  }
  checkMultiple(amount, currency)
  const minimum = MINIMUM[currency] ?? 1
  if (amount >= minimum) return
  throw invalidRequest(`Amount must be at least ${decimalOf(minimum, currency)} ${currency}`, {
    code: 'amount_too_small',
    param: 'amount',
  })
}

function checkMultiple(amount: number, currency: string): void {
  const step = THREE_DECIMAL.has(currency) ? 10 : WHOLE_WITH_TWO_DECIMALS.has(currency) ? 100 : 1
  if (amount % step === 0) return
  throw invalidRequest(`Amounts in ${currency} must be divisible by ${step}`, {
    code: 'parameter_invalid_integer',
    param: 'amount',
  })
}
