import { defineErrors } from '#kernel/errors'

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
    message: 'The plan is already paused. It can be resumed or canceled.',
  },
  plan_not_paused: {
    status: 409,
    number: 56,
    type: 'conflict',
    message: 'Only a paused plan can be resumed, and this plan is not paused.',
    recommendedAction: 'Read the state of the plan before you resume it.',
  },
  plan_ended: {
    status: 409,
    number: 57,
    type: 'conflict',
    message: 'The plan is completed or canceled. Create a new plan to bill its customer again.',
  },
  plan_permanently_uncollectible: {
    status: 409,
    number: 58,
    type: 'conflict',
    message:
      'The plan is permanently uncollectible, because an order was voided after its last attempt. Cancel the plan with immediate effect, and create a new plan to bill its customer again.',
  },
  plan_currency_mixed: {
    status: 422,
    number: 55,
    type: 'invalid_request',
    message: 'All items of a plan must have the same currency.',
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
    message: 'The price must be a valid amount of its currency and must not be negative.',
  },
  discount_invalid: {
    status: 422,
    number: 58,
    type: 'invalid_request',
    message: "The discount must be a valid amount in the plan's currency, or a percentage from 0 to 100.",
  },
  recurrence_rule_unsupported: {
    status: 422,
    number: 59,
    type: 'invalid_request',
    message: 'Unsupported recurrence rule.',
    recommendedAction: 'Use FREQ with INTERVAL, BYMONTHDAY and, for YEARLY, BYMONTH.',
  },
  billing_config_inconsistent: {
    status: 422,
    number: 60,
    type: 'invalid_request',
    message: 'The members of the billing config contradict each other.',
  },
  start_date_invalid: {
    status: 422,
    number: 61,
    type: 'invalid_request',
    message: 'start_date must not be in the past.',
  },
  billing_count_missing: {
    status: 422,
    number: 62,
    type: 'invalid_request',
    message: 'Only the last cycle of a plan may run without end (billing_count null).',
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
    message: "A credit must be an amount above 0 in the plan's currency.",
  },
  billing_amount_too_large: {
    status: 422,
    number: 65,
    type: 'invalid_request',
    message: 'An order of this cycle would have more than 15 digits before the decimal point.',
  },
  callback_url_refused: {
    status: 422,
    number: 66,
    type: 'invalid_request',
    message: 'callback_url must not point to a private or local address.',
  },
})
