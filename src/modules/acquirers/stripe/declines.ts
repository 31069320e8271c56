import type { DeclineCode } from '../simulator/server/test-cards.ts'

export interface DeclineRule {
  readonly reason: DeclineCode
  readonly hard: boolean
}

const SOFT: DeclineRule = { reason: 'card_declined', hard: false }
const HARD: DeclineRule = { reason: 'card_declined', hard: true }

/**
 * Keyed by Stripe's decline code, else its error code (https://docs.stripe.com/declines/codes). A decline is hard if
 * the card is lost, stolen, closed, unknown or not permitted, or if its holder withdrew consent. Unlisted codes are
 * soft.
 */
const RULES: Readonly<Record<string, DeclineRule>> = {
  approve_with_id: SOFT,
  authentication_not_handled: { reason: 'authentication_failed', hard: false },
  authentication_required: { reason: 'authentication_required', hard: false },
  call_issuer: SOFT,
  card_not_supported: HARD,
  card_velocity_exceeded: { reason: 'card_velocity_exceeded', hard: false },
  currency_not_supported: SOFT,
  do_not_honor: SOFT,
  do_not_try_again: HARD,
  duplicate_transaction: SOFT,
  expired_card: { reason: 'expired_card', hard: false },
  fraudulent: HARD,
  generic_decline: SOFT,
  highest_risk_level: HARD,
  incorrect_address: SOFT,
  incorrect_cvc: SOFT,
  incorrect_number: HARD,
  incorrect_pin: SOFT,
  incorrect_zip: SOFT,
  insufficient_funds: { reason: 'insufficient_funds', hard: false },
  invalid_account: HARD,
  invalid_amount: SOFT,
  invalid_cvc: SOFT,
  invalid_expiry_month: SOFT,
  invalid_expiry_year: SOFT,
  invalid_number: HARD,
  invalid_pin: SOFT,
  issuer_not_available: SOFT,
  lost_card: { reason: 'lost_card', hard: true },
  merchant_blacklist: HARD,
  mobile_device_authentication_required: { reason: 'authentication_required', hard: false },
  new_account_information_available: SOFT,
  no_action_taken: SOFT,
  not_permitted: HARD,
  offline_pin_required: SOFT,
  online_or_offline_pin_required: SOFT,
  payment_intent_authentication_failure: { reason: 'authentication_failed', hard: false },
  pickup_card: HARD,
  pin_try_exceeded: SOFT,
  processing_error: SOFT,
  reenter_transaction: SOFT,
  restricted_card: HARD,
  revocation_of_all_authorizations: HARD,
  revocation_of_authorization: HARD,
  security_violation: SOFT,
  service_not_allowed: HARD,
  setup_intent_authentication_failure: { reason: 'authentication_failed', hard: false },
  stolen_card: { reason: 'stolen_card', hard: true },
  stop_payment_order: HARD,
  testmode_decline: SOFT,
  transaction_not_allowed: HARD,
  try_again_later: SOFT,
  withdrawal_count_limit_exceeded: { reason: 'card_velocity_exceeded', hard: false },
}

const HARD_BY_ADVICE: ReadonlyMap<string, boolean> = new Map([
  ['do_not_try_again', true],
  ['try_again_later', false],
  ['confirm_card_data', false],
])

export function declineRule(code: string, adviceCode: string | null): DeclineRule {
  const rule = (Object.hasOwn(RULES, code) ? RULES[code] : undefined) ?? SOFT
  const hard = adviceCode === null ? undefined : HARD_BY_ADVICE.get(adviceCode)
  return hard === undefined ? rule : { ...rule, hard }
}
