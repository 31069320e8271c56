import type { JsonValue } from '#platform/http/openapi/schemas'
import type { Route } from '#platform/http/routes/route'

interface ErrorResponse {
  readonly name: string
  readonly description: string
}

const ERROR_RESPONSES = {
  400: { name: 'BadRequest', description: 'The request has the wrong form; `error.param` names the member.' },
  401: { name: 'Unauthenticated', description: 'The API key or the signature is missing, wrong or expired.' },
  403: { name: 'Forbidden', description: 'The API key may not do this.' },
  404: { name: 'NotFound', description: 'The object does not exist, or belongs to another business.' },
  408: { name: 'RequestTimeout', description: 'The request did not arrive in time.' },
  409: { name: 'Conflict', description: 'The state of the object does not allow this at the moment.' },
  413: { name: 'PayloadTooLarge', description: 'The body is too large.' },
  415: { name: 'UnsupportedMediaType', description: 'The body is not JSON in UTF-8, or is compressed.' },
  422: {
    name: 'Unprocessable',
    description: 'The members have the right form, but do not fit together or break a rule.',
  },
  429: { name: 'RateLimited', description: 'The app has exceeded its request limit.' },
  431: { name: 'HeadersTooLarge', description: 'The headers are too large.' },
  500: { name: 'InternalError', description: 'Something went wrong on our side.' },
  503: { name: 'Unavailable', description: 'The service is overloaded or cannot reach its database.' },
} as const satisfies Record<number, ErrorResponse>

type Status = keyof typeof ERROR_RESPONSES

const OF_ALL: readonly Status[] = [400, 401, 403, 404, 408, 422, 429, 431, 500, 503]
const WITH_BODY: readonly Status[] = [409, 413, 415]

export function errorResponsesOf(route: Route): Record<string, JsonValue> {
  const statuses = route.method === 'GET' ? OF_ALL : [...OF_ALL, ...WITH_BODY]
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${ERROR_RESPONSES[status].name}` }]),
  )
}

export function errorResponses(headers: Record<string, JsonValue>): Record<string, JsonValue> {
  return Object.fromEntries(
    Object.values(ERROR_RESPONSES).map(({ name, description }) => [
      name,
      {
        description,
        headers,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  )
}
