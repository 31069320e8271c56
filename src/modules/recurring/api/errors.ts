import { defineErrors } from '#kernel/errors'

/** Numbers 55 to 69 are this module's. */
export const errors = defineErrors({
  plan_not_found: {
    status: 404,
    number: 55,
    type: 'not_found',
    message: 'There is no such recurring plan.',
  },
  recurring_item_not_found: {
    status: 404,
    number: 56,
    type: 'not_found',
    message: 'There is no such recurring item.',
  },
  billing_config_not_found: {
    status: 404,
    number: 57,
    type: 'not_found',
    message: 'There is no such recurring billing config.',
    recommendedAction: 'Send the id of a config, or a rule such as FREQ=MONTHLY;BYMONTHDAY=1.',
  },
  recurring_order_not_found: {
    status: 404,
    number: 58,
    type: 'not_found',
    message: 'This customer has no such order under a recurring plan.',
  },
  plan_not_pausable: {
    status: 409,
    number: 55,
    type: 'conflict',
    message: 'A plan that is paused, completed or canceled cannot be paused.',
  },
  plan_not_paused: {
    status: 409,
    number: 56,
    type: 'conflict',
    message: 'Only a paused plan can be resumed.',
  },
  plan_ended: {
    status: 409,
    number: 57,
    type: 'conflict',
    message: 'The plan is completed or canceled already.',
  },
  plan_currency_mixed: {
    status: 422,
    number: 55,
    type: 'invalid_request',
    message: 'All items of a plan must have one currency.',
  },
  plan_currency_unknown: {
    status: 422,
    number: 56,
    type: 'invalid_request',
    message: 'The currency is not an ISO 4217 code.',
  },
  price_invalid: {
    status: 422,
    number: 57,
    type: 'invalid_request',
    message: 'The price is no amount of its currency.',
  },
  discount_invalid: {
    status: 422,
    number: 58,
    type: 'invalid_request',
    message: 'The discount is not valid.',
  },
  recurrence_rule_unsupported: {
    status: 422,
    number: 59,
    type: 'invalid_request',
    message: 'The rule is none that a plan can be billed by.',
    recommendedAction: 'Use FREQ with INTERVAL, BYMONTHDAY and, for YEARLY, BYMONTH.',
  },
  billing_config_inconsistent: {
    status: 422,
    number: 60,
    type: 'invalid_request',
    message: 'The members of the billing config do not fit together.',
  },
  start_date_invalid: {
    status: 422,
    number: 61,
    type: 'invalid_request',
    message: 'A plan cannot start in the past.',
  },
  billing_count_missing: {
    status: 422,
    number: 62,
    type: 'invalid_request',
    message: 'Only the last cycle of a plan may run for ever (billing_count null).',
  },
  plan_timeout_invalid: {
    status: 422,
    number: 63,
    type: 'invalid_request',
    message: 'timeout.timer must be seconds or an ISO 8601 duration.',
  },
  credit_invalid: {
    status: 422,
    number: 64,
    type: 'invalid_request',
    message: 'A credit must be an amount above 0 in the currency of the plan.',
  },
  billing_amount_too_large: {
    status: 422,
    number: 65,
    type: 'invalid_request',
    message: 'An order of this cycle would have more than 15 digits before the point.',
  },
  callback_url_refused: {
    status: 422,
    number: 66,
    type: 'invalid_request',
    message: 'The callback_url points to an address that is not public.',
  },
})
