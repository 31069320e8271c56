import { defineErrors, type RequestError } from '#kernel/errors'
import { USE_A_PUBLIC_URL } from '#platform/errors'

export const errors = defineErrors({
  card_not_found: {
    status: 404,
    number: 70,
    type: 'not_found',
    message: 'There is no such card.',
  },
  card_limit_not_found: {
    status: 404,
    number: 71,
    type: 'not_found',
    message: 'There is no such limit.',
  },
  authorization_not_found: {
    status: 404,
    number: 72,
    type: 'not_found',
    message: 'There is no such authorization.',
  },
  decision_hook_not_found: {
    status: 404,
    number: 73,
    type: 'not_found',
    message: 'No decision hook is registered.',
  },
  funding_wallet_not_found: {
    status: 404,
    number: 74,
    type: 'not_found',
    message: 'The wallet that should fund the card does not exist.',
  },
  card_exists: {
    status: 409,
    number: 70,
    type: 'conflict',
    message: 'A card with this reference_id already exists.',
    recommendedAction: 'Use the card in data.card, or send another reference_id.',
  },
  card_linked_to_another_user: {
    status: 409,
    number: 71,
    type: 'conflict',
    message: 'The card is linked to another user.',
  },
  card_not_linkable: {
    status: 409,
    number: 72,
    type: 'conflict',
    message: 'Only an Inactive card can be linked.',
    recommendedAction: 'Issue another card.',
  },
  card_status_conflict: {
    status: 409,
    number: 73,
    type: 'conflict',
    message: 'The card cannot change to this status.',
  },
  card_limit_exists: {
    status: 409,
    number: 74,
    type: 'conflict',
    message: 'The card already has a limit for this period.',
    recommendedAction: 'Edit the existing limit.',
  },
  authorization_undecided: {
    status: 409,
    number: 75,
    type: 'conflict',
    message: 'The decision hook has not decided yet.',
    recommendedAction: 'Try again in a few seconds.',
  },
  authorization_state_conflict: {
    status: 409,
    number: 76,
    type: 'conflict',
    message: "The authorization's state does not allow this operation.",
  },
  nothing_to_capture: {
    status: 409,
    number: 77,
    type: 'conflict',
    message: 'The authorization holds no amount, so there is nothing to capture.',
    recommendedAction: 'To capture without a hold, send an amount.',
  },
  nothing_to_refund: {
    status: 409,
    number: 78,
    type: 'conflict',
    message: 'No captured amount is left to refund.',
  },
  nothing_to_reverse: {
    status: 409,
    number: 79,
    type: 'conflict',
    message: 'The authorization holds no amount, so there is nothing to reverse.',
  },
  card_amount_invalid: {
    status: 422,
    number: 70,
    type: 'invalid_request',
    message: 'The amount is not valid in its currency.',
  },
  card_limit_too_high: {
    status: 422,
    number: 71,
    type: 'invalid_request',
    message: 'A limit must be at most 100000000000.',
  },
  card_limit_period_differs: {
    status: 422,
    number: 72,
    type: 'invalid_request',
    message: "A limit's period cannot change.",
  },
  card_period_named_twice: {
    status: 422,
    number: 73,
    type: 'invalid_request',
    message: 'Each period may appear only once.',
  },
  card_currency_unknown: {
    status: 422,
    number: 74,
    type: 'invalid_request',
    message: 'The currency is not an ISO 4217 code.',
  },
  card_time_zone_unknown: {
    status: 422,
    number: 75,
    type: 'invalid_request',
    message: 'There is no such IANA time zone.',
  },
  card_refund_too_large: {
    status: 422,
    number: 76,
    type: 'invalid_request',
    message: 'A refund must not exceed what was captured and not yet refunded.',
  },
  reversal_too_large: {
    status: 422,
    number: 77,
    type: 'invalid_request',
    message: 'A reversal must not exceed the held amount.',
  },
  card_funding_not_available: {
    status: 422,
    number: 78,
    type: 'invalid_request',
    message: 'The card cannot be funded from this wallet.',
  },
  hook_url_not_allowed: {
    status: 422,
    number: 79,
    type: 'invalid_request',
    message: 'The URL must not name a private, loopback or link-local address.',
    recommendedAction: USE_A_PUBLIC_URL,
  },
})

export function amountInvalid(param: string, rule: string): RequestError {
  return errors.card_amount_invalid({ param, message: `${param} ${rule}.` })
}
