import type { VerifiedInstrument } from '../../port/port.ts'
import type { Members } from '../../port/members.ts'
import { idOf, membersOf, textOf } from '../wire/members.ts'

const BRANDS: ReadonlySet<string> = new Set([
  'amex',
  'diners',
  'discover',
  'jcb',
  'mastercard',
  'unionpay',
  'visa',
])

export function readInstrument(method: Members, payerReference: string | null): VerifiedInstrument | null {
  const id = textOf(method.id)
  if (id === null || typeof method.card !== 'object') return null
  const card = membersOf(method.card)
  const brand = textOf(card.brand)
  return {
    id,
    payerReference: idOf(method.customer) ?? payerReference,
    brand: brand !== null && BRANDS.has(brand) ? brand : null,
    first6: textOf(card.iin)?.slice(0, 6) ?? null,
    last4: textOf(card.last4),
    expMonth: typeof card.exp_month === 'number' ? card.exp_month : null,
    expYear: typeof card.exp_year === 'number' ? card.exp_year : null,
    holderName: textOf(membersOf(method.billing_details).name),
    country: textOf(card.country),
  }
}
