import { invalid } from './errors.ts'
import { type Json, object, onlyMembersOf, text, whole } from './json.ts'

/** `value` is in minor units, as Adyen counts them. */
export interface Amount {
  readonly currency: string
  readonly value: number
}

const WITHOUT_DIGITS = new Set('CVE DJF GNF IDR JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '))
const THREE_DIGITS = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '))

/** Adyen's table, which differs from ISO 4217 for CVE, IDR, CLP and ISK. */
function minorDigits(currency: string): number {
  if (WITHOUT_DIGITS.has(currency)) return 0
  return THREE_DIGITS.has(currency) ? 3 : 2
}

export function amountOf(body: Json): Amount {
  const amount = object(body, 'amount')
  if (amount === null) throw invalid('100', 'No amount specified')
  onlyMembersOf('Amount', amount)
  const currency = text(amount, 'currency')
  const value = whole(amount, 'value')
  if (value === null) throw invalid('100', 'No amount specified')
  if (currency === null || !/^[A-Z]{3}$/.test(currency))
    throw invalid('138', 'Unsupported currency specified')
  if (value < 0) throw invalid('137', 'Invalid amount specified')
  return { currency, value }
}

export function positiveAmountOf(body: Json): Amount {
  const amount = amountOf(body)
  if (amount.value === 0) throw invalid('137', 'Invalid amount specified')
  return amount
}

/** `12.30` for 1230 EUR. */
export function decimal({ currency, value }: Amount): string {
  const digits = minorDigits(currency)
  const figures = String(Math.abs(value)).padStart(digits + 1, '0')
  const units = digits === 0 ? figures : `${figures.slice(0, -digits)}.${figures.slice(-digits)}`
  return value < 0 ? `-${units}` : units
}
