import type { Instrument } from '#modules/acquirers'
import type { SealBinding } from '#platform/security/keyring'
import type { CardKeyring } from '../dependencies.ts'
import type { PaymentToken } from '../model/payment-token.ts'

/** Binds a number to its token, so that encrypted numbers cannot be swapped, even within a tenant. */
export function sealBinding(businessId: string, token: string): SealBinding {
  return { businessId, field: `payment_tokens.sealed_number/${token}` }
}

/**
 * Returns what the account charges: its own token, or the full card number without CVC. Throws when the token failed or was
 * deleted: call `isChargeable` first.
 */
export function openInstrument(keyring: CardKeyring, token: PaymentToken, accountId: string): Instrument {
  const { acquirerToken, payerReference } = token
  if (acquirerToken !== null && token.acquirerAccountId === accountId) {
    return { type: 'acquirer_token', id: acquirerToken, payerReference }
  }
  if (token.tokenType === 'WalletAPayAutoDebit') return { type: 'wallet_a_pay', autoDebit: true }
  if (token.tokenType === 'WalletBAutoDebit') return { type: 'wallet_b', autoDebit: true }
  if (token.sealed === null || token.expMonth === null || token.expYear === null) {
    throw new Error(`payment token ${token.token} has no card number any more`)
  }
  return {
    type: 'card',
    number: keyring.open(token.sealed, sealBinding(token.businessId, token.token)),
    expMonth: token.expMonth,
    expYear: token.expYear,
    holderName: token.holderName ?? '',
  }
}
