import { defineErrors } from '#kernel/errors'
import { USE_A_PUBLIC_URL } from '#platform/errors'

export const errors = defineErrors({
  notice_signature_invalid: {
    status: 400,
    number: 34,
    type: 'invalid_request',
    message: 'The signature is missing, wrong or too old.',
    recommendedAction: 'Sign with the webhook secret that is configured for this acquirer account.',
  },
  notice_invalid: {
    status: 400,
    number: 35,
    type: 'invalid_request',
    message: 'The body is not a message that the acquirer documents.',
  },
  acquirer_account_not_found: {
    status: 404,
    number: 34,
    type: 'not_found',
    message: 'No acquirer account has this id.',
  },
  simulator_page_not_found: {
    status: 404,
    number: 19,
    type: 'not_found',
    message: 'There is no such page of the simulator.',
  },
  acquirer_account_disabled: {
    status: 409,
    number: 34,
    type: 'conflict',
    message: 'The acquirer account was disabled.',
    recommendedAction: 'Create a new acquirer account.',
  },
  acquirer_account_changed: {
    status: 409,
    number: 35,
    type: 'conflict',
    message: 'Other requests changed the acquirer account while the acquirer checked the credentials.',
    recommendedAction: 'Send the request again.',
  },
  credentials_refused: {
    status: 422,
    number: 34,
    type: 'invalid_request',
    message: 'The acquirer does not accept these credentials.',
    recommendedAction: 'Copy the credentials of this environment from the dashboard of the acquirer.',
  },
  api_base_not_allowed: {
    status: 422,
    number: 35,
    type: 'invalid_request',
    message: 'api_base is not an allowed address.',
    recommendedAction: USE_A_PUBLIC_URL,
  },
  acquirer_account_invalid: {
    status: 422,
    number: 36,
    type: 'invalid_request',
    message: 'A member of the acquirer account is invalid.',
  },
  too_many_acquirer_accounts: {
    status: 422,
    number: 37,
    type: 'invalid_request',
    message: 'A business can have at most 50 active acquirer accounts in an environment, and 500 in all.',
    recommendedAction: 'Disable an account that you no longer use.',
  },
  acquirer_cannot_change: {
    status: 422,
    number: 38,
    type: 'invalid_request',
    message: 'The acquirer of an account cannot be changed.',
    recommendedAction: 'Create an account for the other acquirer, and disable this one.',
  },
  routing_invalid: {
    status: 422,
    number: 39,
    type: 'invalid_request',
    message: 'A routing rule cannot be applied.',
  },
  acquirer_not_configured: {
    status: 503,
    number: 35,
    type: 'service_error',
    message: 'No acquirer account can take this payment.',
    recommendedAction: 'Add an acquirer account to this environment, or correct its routing rules.',
  },
  acquirer_unreachable: {
    status: 503,
    number: 36,
    type: 'service_error',
    message: 'The acquirer did not respond, so the credentials could not be checked.',
    recommendedAction: 'Send the request again later.',
  },
})
