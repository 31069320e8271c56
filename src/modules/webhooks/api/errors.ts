import { defineErrors } from '#kernel/errors'

/** Numbers 87 to 92 are this module's. */
export const errors = defineErrors({
  endpoint_not_found: {
    status: 404,
    number: 87,
    type: 'not_found',
    message: 'There is no such endpoint.',
  },
  delivery_not_found: {
    status: 404,
    number: 88,
    type: 'not_found',
    message: 'There is no such delivery.',
  },
  endpoint_not_active: {
    status: 409,
    number: 87,
    type: 'conflict',
    message: 'The endpoint of this delivery was deleted, or disabled because it answered 410.',
    recommendedAction: 'Register the URL again: events from then on go to it.',
  },
  url_not_allowed: {
    status: 422,
    number: 87,
    type: 'invalid_request',
    message: 'The URL must not lead to a private, loopback or link-local address.',
    recommendedAction: 'Use a URL that can be reached from the internet.',
  },
  too_many_endpoints: {
    status: 422,
    number: 88,
    type: 'invalid_request',
    message: 'A business can have at most 100 endpoints.',
    recommendedAction: 'Delete an endpoint that is not used any more.',
  },
})
