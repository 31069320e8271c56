import type { Instrument } from '../../port/port.ts'
import { isMembers, type Members, parseMembers } from '../../port/members.ts'

const COMPONENT_MEMBERS = [
  'type',
  'encryptedCardNumber',
  'encryptedExpiryMonth',
  'encryptedExpiryYear',
  'encryptedSecurityCode',
  'holderName',
  'brand',
  'fundingSource',
  'checkoutAttemptId',
  'sdkData',
] as const
const MAX_COMPONENT_LENGTH = 100_000
const CARD_TYPES = new Set(['scheme', 'card', 'bcmc'])
const REQUIRED = ['encryptedCardNumber', 'encryptedExpiryMonth', 'encryptedExpiryYear'] as const

export function paymentMethodOf(instrument: Instrument): Members | null {
  switch (instrument.type) {
    case 'card':
      return {
        type: 'scheme',
        number: instrument.number,
        expiryMonth: String(instrument.expMonth).padStart(2, '0'),
        expiryYear: String(instrument.expYear),
        holderName: instrument.holderName,
        ...(instrument.cvc !== undefined && { cvc: instrument.cvc }),
      }
    case 'acquirer_token':
      return { type: 'scheme', storedPaymentMethodId: instrument.id }
    case 'component':
      return readComponent(instrument.data)
    case 'wallet_a_pay':
    case 'wallet_b':
    case 'fps':
      return null
  }
}

function readComponent(data: string): Members | null {
  if (data.length > MAX_COMPONENT_LENGTH) return null
  const given = parseMembers(data)
  const sent = isMembers(given?.paymentMethod) ? given.paymentMethod : given
  if (sent === null || typeof sent.type !== 'string' || !CARD_TYPES.has(sent.type)) return null
  const known = COMPONENT_MEMBERS.flatMap((name) => {
    const value = sent[name]
    return typeof value === 'string' && value !== '' ? [[name, value] as const] : []
  })
  const method: Members = Object.fromEntries(known)
  return REQUIRED.every((name) => name in method) ? method : null
}
