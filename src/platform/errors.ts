import { defineErrors } from '#kernel/errors'

/** For URLs that the service calls. */
export const USE_A_PUBLIC_URL =
  'Use a URL that is reachable from the internet. For development, start the service with ALLOW_PRIVATE_WEBHOOKS=1.'

/** For URLs that get webhooks, which the command line can forward. */
export const USE_A_PUBLIC_WEBHOOK_URL =
  'Use a URL that is reachable from the internet. For development, run "quittance listen --forward-to URL" instead, or start the service with ALLOW_PRIVATE_WEBHOOKS=1.'

export const platformErrors = defineErrors({
  malformed_json: {
    status: 400,
    number: 1,
    type: 'invalid_request',
    message: 'The body is not valid JSON in UTF-8, or is nested deeper than 64 levels.',
  },
  body_invalid: {
    status: 400,
    number: 2,
    type: 'invalid_request',
    message: 'The body must be a JSON object.',
  },
  unknown_member: {
    status: 400,
    number: 3,
    type: 'invalid_request',
    message: 'The body has a member that this operation does not know.',
    recommendedAction: 'Correct the name of the member, or leave the member out.',
  },
  missing_member: {
    status: 400,
    number: 4,
    type: 'invalid_request',
    message: 'A required member of the body is missing.',
  },
  invalid_member: {
    status: 400,
    number: 5,
    type: 'invalid_request',
    message: 'A member of the body has the wrong type or form.',
  },
  unknown_query_name: {
    status: 400,
    number: 6,
    type: 'invalid_request',
    message: 'The query has a parameter that this operation does not know.',
  },
  missing_query_name: {
    status: 400,
    number: 7,
    type: 'invalid_request',
    message: 'A required query parameter is missing.',
  },
  invalid_query_value: {
    status: 400,
    number: 8,
    type: 'invalid_request',
    message: 'A query parameter has the wrong form.',
  },
  invalid_path: {
    status: 400,
    number: 9,
    type: 'invalid_request',
    message: 'A part of the path is not a valid identifier.',
  },
  missing_header: {
    status: 400,
    number: 10,
    type: 'invalid_request',
    message: 'A required header is missing.',
  },
  invalid_header: {
    status: 400,
    number: 11,
    type: 'invalid_request',
    message: 'A header has the wrong form.',
  },
  malformed_request: {
    status: 400,
    number: 12,
    type: 'invalid_request',
    message: 'The request is not valid HTTP.',
  },
  offset_too_deep: {
    status: 400,
    number: 13,
    type: 'invalid_request',
    message: 'offset must be at most 10000.',
    recommendedAction: 'Send next_cursor of the previous page as cursor; a cursor has no such limit.',
  },
  invalid_cursor: {
    status: 400,
    number: 14,
    type: 'invalid_request',
    message: 'cursor must be the next_cursor of an earlier page of this list.',
    recommendedAction: 'Send next_cursor unchanged, or start again without a cursor.',
  },
  invalid_filter: {
    status: 400,
    number: 15,
    type: 'invalid_request',
    message: 'filter is not a valid AIP-160 filter.',
  },
  duplicate_member: {
    status: 400,
    number: 16,
    type: 'invalid_request',
    message: 'An object of the body has two members with the same name.',
    recommendedAction: 'Send each member once.',
  },
  unauthenticated: {
    status: 401,
    number: 1,
    type: 'authentication_failed',
    message: 'The request has no valid API key.',
    recommendedAction: 'Send the key as "Authorization: Bearer qk_test_…" or "Bearer qk_live_…".',
  },
  scope_missing: {
    status: 403,
    number: 1,
    type: 'permission_denied',
    message: 'The API key does not have the scope that this operation requires.',
    recommendedAction: 'Use an API key that has the scope.',
  },
  app_mismatch: {
    status: 403,
    number: 2,
    type: 'permission_denied',
    message: 'x-appid must be the id of the app that owns the API key.',
  },
  business_mismatch: {
    status: 403,
    number: 3,
    type: 'permission_denied',
    message: 'X-P-Customer-Code must be the code of the API key’s business.',
  },
  test_environment_only: {
    status: 403,
    number: 4,
    type: 'permission_denied',
    message: 'This operation exists only in the test environment.',
    recommendedAction: 'Use an API key that begins with qk_test_.',
  },
  route_not_found: {
    status: 404,
    number: 1,
    type: 'not_found',
    message: 'There is no operation with this method and path.',
    recommendedAction: 'Check the method and the path; /docs lists all operations.',
  },
  request_timeout: {
    status: 408,
    number: 1,
    type: 'invalid_request',
    message: 'The request did not arrive in time.',
  },
  reference_id_taken: {
    status: 409,
    number: 43,
    type: 'conflict',
    message: 'Another object of this kind has this reference_id.',
    recommendedAction: 'Read the object whose id is in data.',
  },
  idempotency_key_in_use: {
    status: 409,
    number: 1,
    type: 'conflict',
    message: 'A request with this Idempotency-Key is still running.',
    recommendedAction: 'Repeat the request with the same key later.',
  },
  payload_too_large: {
    status: 413,
    number: 1,
    type: 'invalid_request',
    message:
      'The body is too large. It may have at most 1 MiB and 40,000 values, or 16 kB for the form of a page.',
    recommendedAction: 'Send less in one request.',
  },
  unsupported_media_type: {
    status: 415,
    number: 1,
    type: 'invalid_request',
    message: 'The body must be application/json in UTF-8, without a content encoding.',
  },
  idempotency_key_reused: {
    status: 422,
    number: 1,
    type: 'invalid_request',
    message: 'This Idempotency-Key was used for another request.',
    recommendedAction: 'Use a new key for each new request.',
  },
  too_many_metadata_keys: {
    status: 422,
    number: 15,
    type: 'invalid_request',
    message: 'An object can have at most 50 metadata keys.',
    recommendedAction: 'Remove keys in the same request by sending null as their value.',
  },
  invalid_date_range: {
    status: 422,
    number: 83,
    type: 'invalid_request',
    message: 'The range of days is not valid.',
  },
  rate_limited: {
    status: 429,
    number: 1,
    type: 'rate_limited',
    message: 'The app has exceeded its request limit.',
    recommendedAction: 'Wait for the number of seconds in Retry-After.',
  },
  headers_too_large: {
    status: 431,
    number: 1,
    type: 'invalid_request',
    message: 'The headers must be at most 16 kB.',
  },
  internal_error: {
    status: 500,
    number: 1,
    type: 'service_error',
    message: 'Something went wrong on our side.',
    recommendedAction:
      'Send the request again with the same Idempotency-Key. If it fails again, report the request_id.',
  },
  search_too_slow: {
    status: 503,
    number: 2,
    type: 'service_error',
    message: 'The search took too long.',
    recommendedAction: 'Narrow the filter, for example to one customer or to a few days of created_at.',
  },
  overloaded: {
    status: 503,
    number: 9,
    type: 'service_error',
    message: 'Too many requests are waiting. This one was refused before anything was done.',
    recommendedAction:
      'Wait for the number of seconds in Retry-After, then send the request again with the same Idempotency-Key.',
  },
  unavailable: {
    status: 503,
    number: 1,
    type: 'service_error',
    message: 'The service cannot reach a system that it depends on.',
    recommendedAction: 'Send the request again with the same Idempotency-Key.',
  },
})
