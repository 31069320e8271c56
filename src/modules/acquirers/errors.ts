import { defineErrors } from '#kernel/errors'

/** Numbers 35 to 39 are this module's. */
export const errors = defineErrors({
  acquirer_not_configured: {
    status: 503,
    number: 35,
    type: 'service_error',
    message: 'No acquirer is configured for the live environment.',
    recommendedAction: 'Configure an acquirer, or use a test key.',
  },
})
