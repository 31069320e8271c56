import Type from 'typebox'
import { defineRoute, type Route } from '#platform/http/routes/route'
import { filteredListQuery, PageSchema, readPage } from '#platform/http/validation/list'
import { IdParams } from '#platform/http/validation/schemas'
import type { Database } from '#platform/postgres/database'
import { createOwnKey, ownKeysOfPage, revokeOwnKey } from '../keys/own-keys.ts'
import { API_KEY_FIELDS } from '../storage/api-key.repository.ts'
import { ApiKeyData, ApiKeySchema, CreateApiKeyBody, CreatedKeyData } from './api-key-schemas.ts'
import { renderApiKeyData, renderApiKeysPage, renderCreatedKey } from './render.ts'

const PATH = '/svc/account/api/v1/openapi/api_keys'
const TAG = 'Account'

export function apiKeyRoutes(db: Database): Route[] {
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
      data: CreatedKeyData,
      handle: ({ caller, body }) => createOwnKey(db, caller, body.api_key),
      render: renderCreatedKey,
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
      handle: async ({ caller, query }) => {
        const request = readPage('api_keys', query)
        return renderApiKeysPage(request, await ownKeysOfPage(db, caller, query.filter, request))
      },
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
      handle: ({ caller, params }) => revokeOwnKey(db, caller, params.id),
      render: renderApiKeyData,
    }),
  ]
}
