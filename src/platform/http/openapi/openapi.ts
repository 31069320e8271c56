import Type, { type TObject, type TProperties, type TSchema } from 'typebox'
import type { ErrorCatalogue } from '#kernel/errors'
import { errorResponses, errorResponsesOf } from '#platform/http/openapi/error-responses'
import { INTRODUCTION } from '#platform/http/openapi/introduction'
import { DocumentedSchemas, type JsonValue } from '#platform/http/openapi/schemas'
import {
  type EventSchemas,
  WEBHOOK_PARAMETERS,
  WEBHOOK_TAG,
  webhooksOf,
} from '#platform/http/openapi/webhooks'
import { tagsOf } from '#platform/http/openapi/tags'
import { listShapeOf } from '#platform/http/routes/csv'
import type { Route } from '#platform/http/routes/route'

interface OpenApiOptions {
  readonly routes: readonly Route[]
  readonly events: EventSchemas
  readonly catalogues: readonly ErrorCatalogue[]
  readonly publicUrl: string
}

export function openApiDocument(options: OpenApiOptions): { readonly [member: string]: JsonValue } {
  const schemas = new DocumentedSchemas()
  const paths = pathsOf(options.routes, schemas)
  const webhooks = webhooksOf(options.events, schemas)
  const failures = failureSchemas(options.routes, schemas)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Quittance',
      version: '1',
      description: INTRODUCTION,
      contact: { name: 'Quittance', url: `${options.publicUrl}/docs` },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.publicUrl }],
    security: [{ apiKey: [] }],
    tags: [...tagsOf(options.routes.map((route) => route.tag)), WEBHOOK_TAG],
    paths,
    webhooks,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key: `qk_test_…` or `qk_live_…`. A `:write` scope includes `:read` of its area.',
        },
        portalToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The `token` of a portal session, which stands for one customer.',
        },
      },
      parameters: { ...SHARED_PARAMETERS, ...WEBHOOK_PARAMETERS },
      headers: SHARED_HEADERS,
      schemas: {
        Error: failureEnvelope(schemas),
        ErrorDetail: errorDetail(options.catalogues),
        ...failures,
        ...schemas.named(),
      },
      responses: errorResponses({ ...REPLY_HEADERS, ...RETRY_AFTER }),
    },
  }
}

function pathsOf(
  routes: readonly Route[],
  schemas: DocumentedSchemas,
): Record<string, Record<string, JsonValue>> {
  const paths: Record<string, Record<string, JsonValue>> = {}
  const operationIds = new Set<string>()
  for (const route of routes) {
    const short = operationIdOf(route)
    const operationId = operationIds.has(short) ? operationIdOf(route, serviceOf(route)) : short
    if (operationIds.has(operationId)) throw new Error(`two routes have the operation id ${operationId}`)
    operationIds.add(operationId)
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, operationId, schemas) }
  }
  return paths
}

function serviceOf({ path }: Route): string {
  return /^\/svc\/(\w+)\//.exec(path)?.[1] ?? ''
}

function operationIdOf(route: Route, service = ''): string {
  const words = route.path
    .replace(/^.*\/openapi/, service)
    .split(/[/_.]/)
    .filter((word) => word !== '')
    .flatMap((word) => (word.startsWith(':') ? ['by', word.slice(1)] : [word]))
  return (
    route.method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  )
}

function operationOf(route: Route, operationId: string, schemas: DocumentedSchemas): JsonValue {
  const { alsoNeeds } = route
  const also = alsoNeeds === undefined ? '' : ` With ${alsoNeeds.what} also \`${alsoNeeds.scope}\`.`
  const sandbox = route.environments === 'test' ? ' Test environment only.' : ''
  return {
    operationId,
    tags: [route.tag],
    summary: route.summary,
    description: `${route.description === undefined ? '' : `${route.description}\n\n`}Scope: \`${route.scope}\`.${also}${sandbox}`,
    'x-scope': route.scope,
    ...(route.scope.startsWith('portal:') && { security: [{ portalToken: [] }] }),
    parameters: [
      ...parametersOf('path', route.params, schemas),
      ...parametersOf('query', route.query, schemas),
      ...parametersOf('header', route.headers, schemas),
      ...SHARED_HEADER_PARAMETERS.filter(([header]) => !declares(route.headers, header)).map(([, $ref]) => ({
        $ref,
      })),
      ...(route.takesIdempotencyKey ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ],
    ...(route.body !== undefined && {
      requestBody: {
        required: requiredOf(route.body).length > 0,
        content: {
          'application/json': {
            schema: schemas.schemaOrReference(route.body),
            ...(route.example !== undefined && { example: route.example as JsonValue }),
          },
        },
      },
    }),
    responses: {
      200: {
        description: 'Success.',
        headers: replayableHeaders(route),
        content: contentOf(route, schemas),
      },
      ...errorResponsesOf(route),
      ...failuresOf(route),
    },
  }
}

function contentOf(route: Route, schemas: DocumentedSchemas): JsonValue {
  const { contentType, data } = route
  const schema = schemas.schemaOrReference(data)
  if (contentType !== undefined) return { [contentType]: { schema } }
  const csv = listShapeOf(route) && { 'text/csv': { schema: { type: 'string' } } }
  return { 'application/json': { schema: envelopeOf(schema) }, ...csv }
}

function envelopeOf(data: JsonValue): JsonValue {
  return {
    type: 'object',
    required: ['code', 'message', 'data'],
    properties: {
      code: { type: 'integer', const: 200 },
      message: { type: 'string', examples: ['succeed'] },
      data,
    },
  }
}

function failuresOf(route: Route): Record<string, JsonValue> {
  return Object.fromEntries(
    Object.entries(route.failures ?? {}).map(([status, { name }]) => [
      status,
      {
        description: FAILURE_DESCRIPTION,
        headers: replayableHeaders(route),
        content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
      },
    ]),
  )
}

function failureSchemas(routes: readonly Route[], schemas: DocumentedSchemas): Record<string, JsonValue> {
  const failures = routes.flatMap((route) => Object.values(route.failures ?? {}))
  return Object.fromEntries(
    failures.map(({ name, data }) => [name, failureEnvelope(schemas, data.properties)]),
  )
}

function failureEnvelope(schemas: DocumentedSchemas, extra: TProperties = {}): JsonValue {
  const error = Type.Unsafe({ $ref: '#/components/schemas/ErrorDetail' })
  return {
    type: 'object',
    required: ['code', 'message', 'data'],
    properties: {
      code: {
        type: 'integer',
        description: 'The HTTP status × 100, plus a stable number.',
        examples: [40401],
      },
      message: { type: 'string' },
      data: schemas.schemaOrReference(Type.Object({ error, ...extra })),
    },
  }
}

function replayableHeaders(route: Route): Record<string, JsonValue> {
  const replayed = { 'Idempotent-Replayed': { $ref: '#/components/headers/IdempotentReplayed' } }
  return { ...REPLY_HEADERS, ...(route.takesIdempotencyKey && replayed) }
}

function parametersOf(
  place: 'path' | 'query' | 'header',
  schema: TObject | undefined,
  schemas: DocumentedSchemas,
): JsonValue[] {
  if (schema === undefined) return []
  const required = requiredOf(schema)
  return Object.entries(schema.properties).map(
    ([name, property]: [string, TSchema & { description?: string }]) => ({
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(property.description !== undefined && { description: property.description }),
      schema: schemas.schemaOrReference(property),
    }),
  )
}

function requiredOf(schema: TObject): readonly string[] {
  return schema.required ?? []
}

function declares(schema: TObject | undefined, header: string): boolean {
  return Object.keys(schema?.properties ?? {}).some((name) => name.toLowerCase() === header)
}

function errorDetail(catalogues: readonly ErrorCatalogue[]): JsonValue {
  const reasons = catalogues.flatMap((catalogue) => Object.keys(catalogue))
  const types = catalogues.flatMap((catalogue) =>
    Object.values(catalogue).map((definition) => definition.type),
  )
  return {
    type: 'object',
    required: ['type', 'reason', 'request_id'],
    properties: {
      type: { type: 'string', enum: [...new Set(types)] },
      reason: { type: 'string', enum: reasons },
      param: {
        type: 'string',
        description: 'The wrong member, query parameter or header, as a path: `order.line_items[2].price`.',
      },
      decline_code: { type: 'string' },
      recommended_action: { type: 'string' },
      request_id: { type: 'string' },
    },
  }
}

const SHARED_PARAMETERS = {
  AppId: {
    name: 'x-appid',
    in: 'header',
    required: false,
    description: 'Optional. Must be the id of the app that owns the API key.',
    schema: { type: 'string' },
  },
  BusinessCode: {
    name: 'X-P-Customer-Code',
    in: 'header',
    required: false,
    description: 'Optional. Must be the code of the API key’s business.',
    schema: { type: 'string' },
  },
  RequestId: {
    name: 'x-request-id',
    in: 'header',
    required: false,
    description:
      'Returned in the response if it matches `[A-Za-z0-9._-]{1,128}`; otherwise the service makes one.',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'Makes it safe to send the request again. Valid for 30 days, per app and operation.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  },
}

const SHARED_HEADER_PARAMETERS = [
  ['x-appid', '#/components/parameters/AppId'],
  ['x-p-customer-code', '#/components/parameters/BusinessCode'],
  ['x-request-id', '#/components/parameters/RequestId'],
] as const

const SHARED_HEADERS: JsonValue = {
  RequestId: { schema: { type: 'string' }, description: 'Identifies the request in our log.' },
  RateLimit: { schema: { type: 'string' }, description: 'The remaining requests of the app.' },
  RateLimitPolicy: { schema: { type: 'string' }, description: 'The limit of the app, if there is one.' },
  RetryAfter: { schema: { type: 'integer' }, description: 'Seconds to wait.' },
  IdempotentReplayed: {
    schema: { type: 'string', const: 'true' },
    description: 'The response was sent before, for the same Idempotency-Key.',
  },
}

const REPLY_HEADERS: Record<string, JsonValue> = {
  'x-request-id': { $ref: '#/components/headers/RequestId' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
}
const RETRY_AFTER: Record<string, JsonValue> = {
  'Retry-After': { $ref: '#/components/headers/RetryAfter' },
}

const FAILURE_DESCRIPTION = 'The request failed. `data.error.reason` says why.'
