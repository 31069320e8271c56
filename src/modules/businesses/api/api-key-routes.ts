import Type from 'typebox'
import { defineRoute, type Route, type Scope, SCOPES } from '#platform/http/routes/route'
import { filteredListQuery, PageSchema, readPage } from '#platform/http/validation/list'
import {
  IdParams,
  Nullable,
  OneOf,
  Resource,
  strictObject,
  Text,
  TimestampOut,
} from '#platform/http/validation/schemas'
import type { Businesses } from '../businesses.ts'
import { API_KEY_FIELDS } from '../storage/api-key.repository.ts'

const PATH = '/svc/account/api/v1/openapi/api_keys'
const TAG = 'Account'

const ScopeWord = OneOf(SCOPES as readonly [Scope, ...Scope[]])

const CreateApiKeyBody = strictObject({
  api_key: strictObject(
    {
      name: Text({ max: 100 }),
      scopes: Type.Array(ScopeWord, {
        minItems: 1,
        maxItems: SCOPES.length,
        description: 'Only scopes that you have yourself.',
      }),
      expires_in: Type.Optional(
        Text({ max: 64, description: 'ISO 8601 duration, such as P90D. Without it the key never expires.' }),
      ),
    },
    { title: 'NewApiKey' },
  ),
})

const ApiKeySchema = Resource('ApiKey', {
  id: Type.String(),
  app_id: Type.String(),
  name: Nullable(Type.String()),
  scopes: Type.Array(Type.String()),
  created_at: TimestampOut(),
  expires_at: Nullable(TimestampOut()),
  last_used_at: Nullable(TimestampOut({ description: 'To the minute.' })),
  revoked_at: Nullable(TimestampOut()),
})

const ApiKeyData = Type.Object({ api_key: ApiKeySchema })

export function apiKeyRoutes(businesses: Businesses): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: PATH,
      scope: 'keys:write',
      summary: 'Create an API key',
      description: 'The key belongs to your app, or to the oldest app when a user of the console makes it.',
      tag: TAG,
      body: CreateApiKeyBody,
      example: { api_key: { name: 'Nightly report', scopes: ['payments:read'], expires_in: 'P90D' } },
      data: Type.Object({
        api_key: ApiKeySchema,
        secret: Type.String({ description: 'The key itself. It is shown once: a replay has an empty text.' }),
      }),
      handle: ({ caller, body }) => businesses.createOwnKey(caller, body.api_key),
    }),
    defineRoute({
      method: 'GET',
      path: PATH,
      scope: 'keys:read',
      summary: 'List API keys',
      description: 'The keys of the business in the environment, with expired and revoked ones.',
      tag: TAG,
      query: filteredListQuery(API_KEY_FIELDS),
      data: Type.Object({ api_keys: Type.Array(ApiKeySchema), page: PageSchema }),
      handle: ({ caller, query }) => businesses.ownKeys(caller, query.filter, readPage('api_keys', query)),
    }),
    defineRoute({
      method: 'DELETE',
      path: `${PATH}/:id`,
      scope: 'keys:write',
      summary: 'Revoke an API key',
      description: 'The key is refused everywhere once the reply is sent.',
      tag: TAG,
      params: IdParams,
      data: ApiKeyData,
      handle: ({ caller, params }) => businesses.revokeOwnKey(caller, params.id),
    }),
  ]
}
