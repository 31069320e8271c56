import { defineErrors } from '#kernel/errors'
import { USE_A_PUBLIC_URL } from '#platform/errors'

export const errors = defineErrors({
  payment_declined: {
    status: 402,
    number: 40,
    type: 'payment_declined',
    message: 'The issuer or the payer declined the payment.',
    recommendedAction: 'Read decline_code, and ask the payer for another payment method.',
  },
  order_not_found: {
    status: 404,
    number: 40,
    type: 'not_found',
    message: 'There is no order with this identifier.',
  },
  transaction_not_found: {
    status: 404,
    number: 41,
    type: 'not_found',
    message: 'There is no transaction with this identifier.',
  },
  link_not_found: {
    status: 404,
    number: 44,
    type: 'not_found',
    message: 'There is no page at this address.',
  },
  order_exists: {
    status: 409,
    number: 40,
    type: 'conflict',
    message: 'Another order has this reference_number.',
    recommendedAction: 'Use the order whose number is in data.order, or choose another reference_number.',
  },
  order_not_payable: {
    status: 409,
    number: 41,
    type: 'conflict',
    message: 'The order cannot be paid: it is paid, refunded, voided, being voided or expired.',
  },
  payment_in_progress: {
    status: 409,
    number: 42,
    type: 'conflict',
    message:
      'Another payment, capture, refund or void of the order is under way, or its outcome is not known yet.',
    recommendedAction: 'Check the order until no transaction is pending, then try again.',
  },
  transaction_not_capturable: {
    status: 409,
    number: 44,
    type: 'conflict',
    message: 'Only a successful Authorization that has not lapsed can be captured.',
  },
  nothing_left_to_capture: {
    status: 409,
    number: 45,
    type: 'conflict',
    message: 'The Authorization is already fully captured.',
  },
  transaction_not_refundable: {
    status: 409,
    number: 46,
    type: 'conflict',
    message: 'Only a successful Sales or Capture can be refunded.',
  },
  nothing_left_to_refund: {
    status: 409,
    number: 47,
    type: 'conflict',
    message: 'The transaction is already fully refunded.',
  },
  transaction_not_voidable: {
    status: 409,
    number: 48,
    type: 'conflict',
    message:
      'Only a successful Sales, Authorization or Capture can be voided, and only before any part of it is captured or refunded.',
  },
  already_settled: {
    status: 409,
    number: 49,
    type: 'conflict',
    message: 'The payment is settled and can no longer be voided.',
    recommendedAction: 'Refund it instead.',
  },
  order_not_voidable: {
    status: 409,
    number: 50,
    type: 'conflict',
    message:
      'The order cannot be voided: it is expired or refunded, or one of its payments is partly refunded.',
  },
  amount_invalid: {
    status: 422,
    number: 40,
    type: 'invalid_request',
    message: 'The amount is not valid for the currency.',
  },
  amount_too_large: {
    status: 422,
    number: 41,
    type: 'invalid_request',
    message: 'The amount is larger than what is left.',
  },
  totals_disagree: {
    status: 422,
    number: 42,
    type: 'invalid_request',
    message: 'The totals do not agree with the line items.',
  },
  total_missing: {
    status: 400,
    number: 43,
    type: 'invalid_request',
    message: 'The order needs initial_total, line_items or both.',
  },
  currency_unknown: {
    status: 422,
    number: 44,
    type: 'invalid_request',
    message: 'The currency must be an active ISO 4217 code in capital letters.',
  },
  timeout_invalid: {
    status: 422,
    number: 45,
    type: 'invalid_request',
    message: 'The timer must be a number of seconds or an ISO 8601 duration.',
  },
  notify_url_not_allowed: {
    status: 422,
    number: 46,
    type: 'invalid_request',
    message: 'notify_url must not point to a private or local address.',
    recommendedAction: USE_A_PUBLIC_URL,
  },
  one_of_order_and_transaction: {
    status: 422,
    number: 47,
    type: 'invalid_request',
    message: 'Send order or transaction, not both.',
  },
  order_or_transaction_missing: {
    status: 400,
    number: 47,
    type: 'invalid_request',
    message: 'Send order or transaction.',
  },
  identifier_missing: {
    status: 400,
    number: 48,
    type: 'invalid_request',
    message: 'Send at least one identifier.',
  },
  payment_token_of_another_customer: {
    status: 422,
    number: 49,
    type: 'invalid_request',
    message: 'The order has a customer and takes only payment tokens of that customer.',
  },
  payment_token_not_chargeable: {
    status: 422,
    number: 50,
    type: 'invalid_request',
    message: 'The payment token is not active.',
    recommendedAction: 'Use an active payment token.',
  },
  payment_in_use: {
    status: 409,
    number: 80,
    type: 'conflict',
    message: 'Of this payment something was given back or became credit of a plan.',
    recommendedAction: 'Undo what was given back first.',
  },
  nothing_overpaid: {
    status: 409,
    number: 63,
    type: 'conflict',
    message: 'Nothing of the order is over-paid.',
  },
  refund_by_hand: {
    status: 409,
    number: 97,
    type: 'conflict',
    message: 'A bank transfer cannot be refunded by an acquirer.',
    recommendedAction:
      'Transfer the money back from your bank account. A credit note whose refund is none lowers the invoice.',
  },
  outcome_not_open: {
    status: 409,
    number: 91,
    type: 'conflict',
    message: 'Only a transaction with an unknown outcome can be decided.',
  },
  outcome_still_inquired: {
    status: 409,
    number: 92,
    type: 'conflict',
    message:
      'The service is still asking the acquirer for the outcome. A person can decide it 24 hours after the request was sent.',
    recommendedAction: 'Wait for the event of the transaction.',
  },
  no_account_for_payment: {
    status: 422,
    number: 91,
    type: 'invalid_request',
    message: 'No acquirer account accepts this payment.',
    recommendedAction:
      'Call POST /svc/account/api/v1/openapi/routing/preview to see why each account was left out.',
  },
  acquirer_refused: {
    status: 502,
    number: 40,
    type: 'acquirer_error',
    message: 'The acquirer refused to run the operation. Nothing was booked.',
  },
  not_processed: {
    status: 502,
    number: 41,
    type: 'acquirer_error',
    message: 'The acquirer has no record of the operation. Nothing was booked.',
    recommendedAction: 'Send a new request.',
  },
  outcome_unknown: {
    status: 504,
    number: 40,
    type: 'acquirer_error',
    message:
      'The acquirer did not respond, so the outcome is not known yet. The service continues to inquire.',
    recommendedAction: 'Do not pay again. Check the order later, or wait for its event.',
  },
})
