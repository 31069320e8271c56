import { maskNumber } from '#kernel/card-number'
import { type Instant, isBefore } from '#kernel/clock'
import type { NextAction, WalletName } from '#modules/acquirers'
import type { IdempotencyId } from '#platform/idempotency/idempotency'
import type { PaymentMethod } from './customer.ts'
import type { PaymentTokenState, StoredPaymentTokenState } from './payment-token.states.ts'

export const TOKEN_TYPES = ['CreditCard', 'WalletAPayAutoDebit', 'WalletBAutoDebit'] as const
export type TokenType = (typeof TOKEN_TYPES)[number]

export const TOKEN_TYPE_OF_METHOD: Readonly<Record<PaymentMethod, TokenType>> = {
  'Credit Card': 'CreditCard',
  'WalletA Pay': 'WalletAPayAutoDebit',
  WalletB: 'WalletBAutoDebit',
}

/** How many pending and active tokens a customer may have. */
export const MAX_TOKENS = 100

/** The time of reference/customers#token-limit. */
export const KEPT_FAILED_DAYS = 30
const KEPT_FAILED = { hours: 24 * KEPT_FAILED_DAYS } as const

export function purgeDueAt(failedAt: Instant): Instant {
  return failedAt.add(KEPT_FAILED)
}

export function failedBefore(at: Instant): Instant {
  return at.subtract(KEPT_FAILED)
}

/**
 * A stored card or auto-debit agreement. Members of a card are null for a wallet.
 * - `state`: The stored state, `active` for an expired card too: call `stateAt`.
 * - `expiresAt`: The end of the card's last month in the business's zone.
 * - `acquirerAccountId`: The account that verified the instrument; null for tokens from before accounts
 *   existed, which the simulator verified.
 * - `acquirerToken`: The id in the acquirer's own vault; null where only the card number is stored here.
 * - `nextAction`: What the payer was asked for beside `nextActionUrl`; null for 3-D Secure at that URL.
 * - `walletName`, `walletAccount`: The real wallet of an agreement, and the payer's account there, masked.
 * - `country`: ISO 3166-1 alpha-2 country of the issuer, where the acquirer reports it.
 */
export interface PaymentToken {
  readonly businessId: string
  readonly token: string
  readonly customerUuid: string
  readonly tokenType: TokenType
  readonly state: StoredPaymentTokenState
  readonly isDefault: boolean
  readonly verifyUuid: string
  readonly defaultRequested: boolean | null
  readonly brand: string | null
  readonly first6: string | null
  readonly last4: string | null
  readonly numberLength: number | null
  readonly holderName: string | null
  readonly expMonth: number | null
  readonly expYear: number | null
  readonly billingCurrency: string | null
  readonly expiresAt: Instant | null
  readonly sealed: string | null
  readonly acquirerAccountId: string | null
  readonly acquirerToken: string | null
  readonly payerReference: string | null
  readonly country: string | null
  readonly verificationReference: string | null
  readonly verificationSentAt: Instant
  readonly errorCode: string | null
  readonly errorMessage: string | null
  readonly returnUrl: string | null
  readonly awaiting: 'acquirer' | 'payer' | null
  readonly nextActionUrl: string | null
  readonly nextAction: Omit<NextAction, 'url'> | null
  readonly walletName: WalletName | null
  readonly walletAccount: string | null
  readonly inquiries: number
  readonly dueAt: Instant | null
  readonly idempotencyId: IdempotencyId
  readonly createdAt: Instant
}

export function hasExpired(token: PaymentToken, at: Instant): boolean {
  return token.expiresAt !== null && !isBefore(at, token.expiresAt)
}

export function stateAt(token: PaymentToken, at: Instant): PaymentTokenState {
  return token.state === 'active' && hasExpired(token, at) ? 'expired' : token.state
}

export function isChargeable(token: PaymentToken, at: Instant): boolean {
  return whyNotChargeable(token, at) === null
}

export function whyNotChargeable(
  token: PaymentToken,
  at: Instant,
): 'payment_token_expired' | 'payment_token_not_active' | null {
  const state = stateAt(token, at)
  if (state === 'active') return null
  return state === 'expired' ? 'payment_token_expired' : 'payment_token_not_active'
}

export function maskedNumber(token: PaymentToken): string {
  if (token.last4 === null) return ''
  // Acquirers report the last four digits only.
  if (token.first6 === null || token.numberLength === null) return `************${token.last4}`
  return maskNumber(token.first6, token.last4, token.numberLength)
}

/** An agreement at an acquirer, which the payer can end there. The simulator's wallets have none. */
export function isAgreement({
  tokenType,
  acquirerToken,
}: Pick<PaymentToken, 'tokenType' | 'acquirerToken'>): boolean {
  return tokenType !== 'CreditCard' && acquirerToken !== null
}

export function walletMethodOf(tokenType: TokenType): 'wallet_a_pay' | 'wallet_b' {
  return tokenType === 'WalletBAutoDebit' ? 'wallet_b' : 'wallet_a_pay'
}
