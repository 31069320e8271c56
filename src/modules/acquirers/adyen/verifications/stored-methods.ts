import type { Reply } from '../../port/disputes.ts'
import type { VerifiedInstrument } from '../../port/port.ts'
import { type AdyenApi, replyOf } from '../api.ts'
import type { Members } from '../../port/members.ts'
import { listOf, textOf } from '../members.ts'

export interface StoredQuery {
  readonly shopper: string
  readonly psp: string | null
  readonly id: string | null
}

const BRANDS: Readonly<Record<string, string>> = { mc: 'mastercard', cup: 'unionpay' }

export async function findStored(
  api: AdyenApi,
  { shopper, psp, id }: StoredQuery,
): Promise<Reply<VerifiedInstrument>> {
  const query = new URLSearchParams({ merchantAccount: api.merchantAccount, shopperReference: shopper })
  const reply = replyOf(await api.get(`/storedPaymentMethods?${query.toString()}`))
  if (reply.kind !== 'ok') return reply
  const found = listOf(reply.value, 'storedPaymentMethods').find((method) =>
    id === null ? textOf(method, 'firstPspReference') === psp : textOf(method, 'id') === id,
  )
  return found === undefined ? { kind: 'absent' } : { kind: 'ok', value: storedInstrument(found, shopper) }
}

function storedInstrument(method: Members, payerReference: string): VerifiedInstrument {
  return {
    id: textOf(method, 'id'),
    payerReference,
    brand: brandOf(textOf(method, 'brand')),
    first6: sixDigits(textOf(method, 'cardBin')),
    last4: orNull(textOf(method, 'lastFour')),
    expMonth: numberOf(textOf(method, 'expiryMonth')),
    expYear: yearOf(textOf(method, 'expiryYear')),
    holderName: orNull(textOf(method, 'holderName')),
    country: null,
  }
}

export async function readSaved(
  api: AdyenApi,
  additional: Members,
  query: StoredQuery,
): Promise<VerifiedInstrument | null> {
  const reported = instrumentOf(additional, query.shopper)
  if (reported !== null) return reported
  const found = await findStored(api, { ...query, id: storedIdOf(additional) || query.id })
  return found.kind === 'ok' ? found.value : null
}

function storedIdOf(additional: Members): string {
  return (
    textOf(additional, 'tokenization.storedPaymentMethodId') ||
    textOf(additional, 'recurring.recurringDetailReference')
  )
}

function instrumentOf(additional: Members, payerReference: string): VerifiedInstrument | null {
  const id = storedIdOf(additional)
  const last4 = textOf(additional, 'cardSummary')
  if (id === '' || last4 === '') return null
  const [month = '', year = ''] = textOf(additional, 'expiryDate').split('/')
  return {
    id,
    payerReference,
    brand: brandOf(textOf(additional, 'cardPaymentMethod') || textOf(additional, 'paymentMethod')),
    first6: sixDigits(textOf(additional, 'cardBin')),
    last4,
    expMonth: numberOf(month),
    expYear: yearOf(year),
    holderName: orNull(textOf(additional, 'cardHolderName')),
    country: orNull(textOf(additional, 'cardIssuingCountry') || textOf(additional, 'issuerCountry')),
  }
}

function brandOf(brand: string): string | null {
  const known = ['visa', 'mc', 'amex', 'discover', 'diners', 'jcb', 'cup'].find((each) =>
    brand.startsWith(each),
  )
  return orNull(BRANDS[known ?? ''] ?? known ?? brand)
}

function sixDigits(bin: string): string | null {
  return /^\d{6}/.exec(bin)?.[0] ?? null
}

function numberOf(text: string): number | null {
  return /^\d{1,4}$/.test(text) ? Number(text) : null
}

function yearOf(text: string): number | null {
  const year = numberOf(text)
  return year !== null && year < 100 ? 2000 + year : year
}

function orNull(text: string): string | null {
  return text === '' ? null : text
}
