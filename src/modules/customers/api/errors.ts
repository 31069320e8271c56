import { defineErrors } from '#kernel/errors'

/** This module uses the numbers 25 to 34. */
export const errors = defineErrors({
  acquirer_token_taken: {
    status: 409,
    number: 26,
    type: 'conflict',
    message: 'Another payment token has this token of the acquirer.',
  },
  acquirer_token_not_allowed: {
    status: 422,
    number: 89,
    type: 'invalid_request',
    message: 'An acquirer_token takes the place of credit_card, in a token of type CreditCard.',
  },
  no_account_for_instrument: {
    status: 422,
    number: 90,
    type: 'invalid_request',
    message: 'No acquirer account takes this kind of payment token.',
    recommendedAction: 'Bind a token of the acquirer, or allow raw_card_numbers for an account.',
  },
  customer_not_found: {
    status: 404,
    number: 25,
    type: 'not_found',
    message: 'This customer does not exist.',
  },
  payment_token_not_found: {
    status: 404,
    number: 26,
    type: 'not_found',
    message: 'This payment token does not exist.',
  },
  customer_exists: {
    status: 409,
    number: 25,
    type: 'conflict',
    message: 'A customer with this reference number already exists.',
    recommendedAction: 'Use the customer in data.customer, or send another reference number.',
  },
  card_number_invalid: {
    status: 422,
    number: 25,
    type: 'invalid_request',
    message: 'The card number is not valid: its check digit is wrong.',
    recommendedAction: 'Ask the payer to enter the number again.',
  },
  test_card_required: {
    status: 422,
    number: 26,
    type: 'invalid_request',
    message: 'A test environment accepts test card numbers only.',
    recommendedAction: 'Use a test card such as 4242 4242 4242 4242, or a live key.',
  },
  card_expired: {
    status: 422,
    number: 27,
    type: 'invalid_request',
    message: 'The card has expired.',
    recommendedAction: 'Ask the payer for another card.',
  },
  card_expiry_invalid: {
    status: 422,
    number: 28,
    type: 'invalid_request',
    message: 'The expiry year is too far ahead.',
  },
  credit_card_required: {
    status: 400,
    number: 29,
    type: 'invalid_request',
    message: 'A token of type CreditCard requires credit_card.',
  },
  credit_card_not_allowed: {
    status: 422,
    number: 30,
    type: 'invalid_request',
    message: 'Only a token of type CreditCard accepts credit_card.',
  },
  billing_currency_unknown: {
    status: 422,
    number: 31,
    type: 'invalid_request',
    message: 'The billing currency is not an ISO 4217 code.',
  },
  too_many_payment_tokens: {
    status: 422,
    number: 32,
    type: 'invalid_request',
    message: 'A customer can have at most 100 payment tokens.',
    recommendedAction: 'Delete a token that is no longer used.',
  },
  default_token_not_active: {
    status: 422,
    number: 33,
    type: 'invalid_request',
    message: 'The default payment token must be an active token of this customer.',
  },
})
