import type { DeclineCode } from '../simulator/server/test-cards.ts'

export interface DeclineRule {
  readonly reason: DeclineCode | 'agreement_ended' | 'wallet_agreement_declined'
  readonly hard: boolean
}

const SOFT: DeclineRule = { reason: 'card_declined', hard: false }
const HARD: DeclineRule = { reason: 'card_declined', hard: true }
const NEEDS_PAYER: DeclineRule = { reason: 'authentication_required', hard: false }

/** Original response codes of cards, ISO 8583 (reference/acquirers#airwallex). What is not listed is soft. */
const BY_ORIGINAL: ReadonlyMap<string, DeclineRule> = new Map([
  ['51', { reason: 'insufficient_funds', hard: false }],
  ['54', { reason: 'expired_card', hard: false }],
  ['41', { reason: 'lost_card', hard: true }],
  ['43', { reason: 'stolen_card', hard: true }],
  ['65', NEEDS_PAYER],
  ['1A', NEEDS_PAYER],
  ...['04', '07', '12', '14', '15', '57', '62'].map((code) => [code, HARD] as const),
])

const BY_ERROR: ReadonlyMap<string, DeclineRule> = new Map([
  ['authentication_declined', { reason: 'authentication_failed', hard: false }],
  ['authentication_failed', { reason: 'authentication_failed', hard: false }],
  ['risk_declined', HARD],
  ['fraud_rejected', HARD],
])

/** Mastercard's advice not to try again, and that the cardholder canceled the agreement: hard whatever the code says. */
const HARD_ADVICE: ReadonlySet<string> = new Set(['03', '21'])

export interface CardDecline {
  readonly error: string
  readonly original: string | null
  readonly advice: string | null
}

export function cardDeclineRule({ error, original, advice }: CardDecline): DeclineRule {
  const rule = BY_ERROR.get(error) ?? BY_ORIGINAL.get(original?.toUpperCase() ?? '') ?? SOFT
  return advice !== null && HARD_ADVICE.has(advice) ? { ...rule, hard: true } : rule
}

/** The codes of wallets' refusals are not listed anywhere. */
export function walletDeclineRule(error: string): DeclineRule {
  return { reason: 'payer_declined', hard: BY_ERROR.get(error)?.hard === true }
}

/** Errors of a confirmation or verification that decline it. Others of 4xx refuse it. */
export const DECLINES: ReadonlySet<string> = new Set([
  'issuer_declined',
  'provider_declined',
  'risk_declined',
  'authentication_declined',
  '3ds_not_supported',
  'no_3ds_liability_shift',
  'card_brand_not_supported',
  'rejected_by_routing_rules',
])

/** Errors after which only the object itself says what became of the request. */
export const READ_AGAIN: ReadonlySet<string> = new Set([
  'invalid_status_for_operation',
  'resource_already_exists',
  'duplicate_request',
])
