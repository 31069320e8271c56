import { defineErrors } from '#kernel/errors'

/**
 * What the front door itself answers. Numbers 1 to 19 are the platform's. `param` names the member
 * (`order.line_items[2].price`), the query name, the path parameter or the header.
 */
export const platformErrors = defineErrors({
  malformed_json: {
    status: 400,
    number: 1,
    type: 'invalid_request',
    message: 'The body is not valid JSON in UTF-8.',
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
    recommendedAction: 'Correct the name or leave the member out; nothing that is sent is dropped silently.',
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
    message: 'The query has a name that this operation does not know.',
  },
  missing_query_name: {
    status: 400,
    number: 7,
    type: 'invalid_request',
    message: 'A required name of the query is missing.',
  },
  invalid_query_value: {
    status: 400,
    number: 8,
    type: 'invalid_request',
    message: 'A value in the query has the wrong form.',
  },
  invalid_path: {
    status: 400,
    number: 9,
    type: 'invalid_request',
    message: 'The path holds a value that cannot be an identifier.',
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
    recommendedAction:
      'Page on with cursor, from next_cursor of the page before: it costs the same at any depth.',
  },
  invalid_cursor: {
    status: 400,
    number: 14,
    type: 'invalid_request',
    message: 'The cursor is not one of this list.',
    recommendedAction: 'Send next_cursor of the page before, unchanged, or begin again without a cursor.',
  },
  invalid_filter: {
    status: 400,
    number: 15,
    type: 'invalid_request',
    message: 'The filter is not valid.',
  },
  unauthenticated: {
    status: 401,
    number: 1,
    type: 'authentication_failed',
    message: 'The request carries no valid API key.',
    recommendedAction: 'Send the key as "Authorization: Bearer qk_test_…" or "Bearer qk_live_…".',
  },
  scope_missing: {
    status: 403,
    number: 1,
    type: 'permission_denied',
    message: 'The API key does not have the scope that this operation needs.',
    recommendedAction: 'Use a key with the scope, or make one.',
  },
  app_mismatch: {
    status: 403,
    number: 2,
    type: 'permission_denied',
    message: 'x-appid is not the app of the API key.',
  },
  business_mismatch: {
    status: 403,
    number: 3,
    type: 'permission_denied',
    message: 'X-P-Customer-Code is not the code of the API key’s business.',
  },
  test_environment_only: {
    status: 403,
    number: 4,
    type: 'permission_denied',
    message: 'This operation exists in the test environment only.',
    recommendedAction: 'Use a key that begins with qk_test_.',
  },
  route_not_found: {
    status: 404,
    number: 1,
    type: 'not_found',
    message: 'There is no such operation.',
    recommendedAction: 'Check the method and the path; all operations are listed in /docs.',
  },
  request_timeout: {
    status: 408,
    number: 1,
    type: 'invalid_request',
    message: 'The request did not arrive in time.',
  },
  idempotency_key_in_use: {
    status: 409,
    number: 1,
    type: 'conflict',
    message: 'A request with this Idempotency-Key is still running.',
    recommendedAction: 'Send the same request again later, with the same key.',
  },
  payload_too_large: {
    status: 413,
    number: 1,
    type: 'invalid_request',
    message: 'The body is too large.',
    recommendedAction: 'Send at most 1 MB and 40,000 values; as the form of a page at most 16 kB.',
  },
  unsupported_media_type: {
    status: 415,
    number: 1,
    type: 'invalid_request',
    message: 'The body must be sent as application/json in UTF-8, uncompressed.',
  },
  idempotency_key_reused: {
    status: 422,
    number: 1,
    type: 'invalid_request',
    message: 'This Idempotency-Key was used with another request.',
    recommendedAction: 'Use a new key for a new request.',
  },
  rate_limited: {
    status: 429,
    number: 1,
    type: 'rate_limited',
    message: 'The app sends more requests than its limit.',
    recommendedAction: 'Wait as many seconds as Retry-After says.',
  },
  headers_too_large: {
    status: 431,
    number: 1,
    type: 'invalid_request',
    message: 'The headers are larger than 16 kB.',
  },
  internal_error: {
    status: 500,
    number: 1,
    type: 'service_error',
    message: 'Something went wrong on our side.',
    recommendedAction:
      'Send the request again with the same Idempotency-Key; if it lasts, report the request_id.',
  },
  unavailable: {
    status: 503,
    number: 1,
    type: 'service_error',
    message: 'The service cannot reach what it needs at this moment.',
    recommendedAction: 'Send the request again, with the same Idempotency-Key.',
  },
})
