import { defineErrors } from '#kernel/errors'

export const errors = defineErrors({
  request_not_found: {
    status: 404,
    number: 6,
    type: 'not_found',
    message: 'The request log has no request with this id.',
    recommendedAction: 'A request appears after a second and is kept for REQUEST_LOG_DAYS days.',
  },
})
