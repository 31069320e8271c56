import { type Instant, isBefore } from '#kernel/clock'
import type { IdempotencyId } from '#platform/idempotency/idempotency'
import type { PaymentMethod } from '../profiles/customer.ts'
import type { PaymentTokenState, StoredPaymentTokenState } from './payment-token.states.ts'

export const TOKEN_TYPES = ['CreditCard', 'WalletAPayAutoDebit', 'WalletBAutoDebit'] as const
export type TokenType = (typeof TOKEN_TYPES)[number]

/** Which tokens a payment method names (decisions, section 4, "Token types map"). */
export const TOKEN_TYPE_OF_METHOD: Readonly<Record<PaymentMethod, TokenType>> = {
  'Credit Card': 'CreditCard',
  'WalletA Pay': 'WalletAPayAutoDebit',
  WalletB: 'WalletBAutoDebit',
}

/** Most tokens a customer may have that are not deleted (decisions, section 4). */
export const MAX_TOKENS = 100

/** A stored card or auto-debit agreement. The card's members are null for a wallet. */
export interface PaymentToken {
  readonly businessId: string
  readonly token: string
  readonly customerUuid: string
  readonly tokenType: TokenType
  /** As stored: an expired card still reads `active` here. Ask `stateAt`. */
  readonly state: StoredPaymentTokenState
  readonly isDefault: boolean
  readonly verifyUuid: string
  readonly wantsDefault: boolean | null
  readonly brand: string | null
  readonly first6: string | null
  readonly last4: string | null
  readonly numberLength: number | null
  readonly holderName: string | null
  readonly expMonth: number | null
  readonly expYear: number | null
  readonly billingCurrency: string | null
  /** The end of the card's last month in the business's zone; null for a wallet. */
  readonly expiresAt: Instant | null
  /** The encrypted card number; null for a wallet, and once the token can never be charged. */
  readonly sealed: string | null
  readonly errorCode: string | null
  readonly errorMessage: string | null
  readonly returnUrl: string | null
  readonly awaiting: 'acquirer' | 'payer' | null
  readonly nextActionUrl: string | null
  readonly inquiries: number
  readonly dueAt: Instant | null
  readonly idempotencyId: IdempotencyId
  readonly createdAt: Instant
}

/** Whether the card's last month has ended. */
export function hasLapsed(token: PaymentToken, at: Instant): boolean {
  return token.expiresAt !== null && !isBefore(at, token.expiresAt)
}

/** The state a caller sees at a moment of the business's clock: a card lapses at the end of its last month. */
export function stateAt(token: PaymentToken, at: Instant): PaymentTokenState {
  return token.state === 'active' && hasLapsed(token, at) ? 'expired' : token.state
}

/** Whether money may be taken with the token at a moment of the business's clock. */
export function isChargeable(token: PaymentToken, at: Instant): boolean {
  return whyNotChargeable(token, at) === null
}

/** The stable word that says why a token cannot be charged at that moment; null when it can. */
export function whyNotChargeable(
  token: PaymentToken,
  at: Instant,
): 'payment_token_expired' | 'payment_token_not_active' | null {
  const state = stateAt(token, at)
  if (state === 'active') return null
  return state === 'expired' ? 'payment_token_expired' : 'payment_token_not_active'
}
