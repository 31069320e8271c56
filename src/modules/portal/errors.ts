import { defineErrors } from '#kernel/errors'

export const errors = defineErrors({
  portal_session_ended: {
    status: 401,
    number: 30,
    type: 'authentication_failed',
    message: 'The portal session is unknown or has ended. A session lasts 60 minutes.',
    recommendedAction: 'Open a new session with POST …/portal/sessions.',
  },
  portal_not_allowed: {
    status: 403,
    number: 40,
    type: 'permission_denied',
    message: 'The business does not offer this in its customer portal.',
    recommendedAction: 'The business chooses what customers may do with PUT …/portal.',
  },
  portal_page_not_found: {
    status: 404,
    number: 47,
    type: 'not_found',
    message: 'There is no such page of the portal.',
  },
  offer_spent: {
    status: 409,
    number: 85,
    type: 'conflict',
    message: 'The plan has had its offer already.',
  },
  token_in_use: {
    status: 409,
    number: 86,
    type: 'conflict',
    message: 'A plan is charged to this payment token.',
    recommendedAction: 'Make another payment token the default first.',
  },
  portal_link_used: {
    status: 410,
    number: 40,
    type: 'not_found',
    message: 'The link has been opened before, or its 15 minutes are over.',
  },
  portal_invalid: {
    status: 422,
    number: 160,
    type: 'invalid_request',
    message: 'The settings of the portal name something that does not exist.',
  },
  cancel_reason_unknown: {
    status: 422,
    number: 161,
    type: 'invalid_request',
    message: 'reason must be one of the reasons in the settings of the portal.',
  },
  expected_total_invalid: {
    status: 422,
    number: 162,
    type: 'invalid_request',
    message: 'expected_total must be an amount of the currency.',
  },
})
