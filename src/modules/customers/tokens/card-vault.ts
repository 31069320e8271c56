import type { Instrument } from '#modules/acquirers'
import type { SealBinding } from '#platform/security/keyring'
import type { CardKeyring } from '../dependencies.ts'
import type { PaymentToken } from './payment-token.ts'

/** A sealed number opens only as that of its own token: rows cannot be exchanged, not even within a tenant. */
export function sealBinding(businessId: string, token: string): SealBinding {
  return { businessId, field: `payment_tokens.sealed_number/${token}` }
}

/**
 * What the acquirer needs to charge a token; the CVC is not among it. Only for the call: it holds the full card number.
 * Throws when the token keeps no number any more (it failed or was deleted): check `isChargeable` first.
 */
export function openInstrument(keyring: CardKeyring, token: PaymentToken): Instrument {
  if (token.tokenType === 'WalletAPayAutoDebit') return { type: 'wallet_a_pay', autoDebit: true }
  if (token.tokenType === 'WalletBAutoDebit') return { type: 'wallet_b', autoDebit: true }
  if (token.sealed === null || token.expMonth === null || token.expYear === null) {
    throw new Error(`payment token ${token.token} keeps no card number`)
  }
  return {
    type: 'card',
    number: keyring.open(token.sealed, sealBinding(token.businessId, token.token)),
    expMonth: token.expMonth,
    expYear: token.expYear,
    holderName: token.holderName ?? '',
  }
}
