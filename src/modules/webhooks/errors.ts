import { defineErrors } from '#kernel/errors'
import { USE_A_PUBLIC_WEBHOOK_URL } from '#platform/errors'

export const errors = defineErrors({
  endpoint_not_found: {
    status: 404,
    number: 87,
    type: 'not_found',
    message: 'No endpoint has this id.',
  },
  delivery_not_found: {
    status: 404,
    number: 88,
    type: 'not_found',
    message: 'No delivery has this id.',
  },
  event_not_found: {
    status: 404,
    number: 89,
    type: 'not_found',
    message: 'No event of this object has this id.',
  },
  endpoint_not_active: {
    status: 409,
    number: 87,
    type: 'conflict',
    message: 'The endpoint of this delivery was deleted, or it was disabled because it responded with 410.',
    recommendedAction: 'Register the URL again. Future events go to the new endpoint.',
  },
  endpoint_exists: {
    status: 409,
    number: 88,
    type: 'conflict',
    message: 'An active endpoint sends these events to this URL already.',
    recommendedAction:
      'To change the secret, rotate it with POST …/endpoints/:id/rotate_secret; the previous one stays valid for another 24 hours. To change the types, delete the endpoint in data.endpoint first.',
  },
  url_not_allowed: {
    status: 422,
    number: 87,
    type: 'invalid_request',
    message: 'The URL must not lead to a private, loopback or link-local address.',
    recommendedAction: USE_A_PUBLIC_WEBHOOK_URL,
  },
  too_many_endpoints: {
    status: 422,
    number: 88,
    type: 'invalid_request',
    message: 'A business can have at most 100 endpoints.',
    recommendedAction: 'Delete an endpoint that you no longer use.',
  },
})
