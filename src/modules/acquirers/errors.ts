import { defineErrors } from '#kernel/errors'

export const errors = defineErrors({
  acquirer_not_configured: {
    status: 503,
    number: 35,
    type: 'service_error',
    message: 'The live environment has no acquirer.',
    recommendedAction: 'Configure an acquirer for it, or use a test key.',
  },
})
