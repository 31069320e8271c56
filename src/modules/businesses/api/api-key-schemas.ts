import Type from 'typebox'
import { type Scope, SCOPES } from '#platform/http/routes/route'
import {
  Nullable,
  OneOf,
  Resource,
  strictObject,
  Text,
  TimestampOut,
} from '#platform/http/validation/schemas'

const ScopeWord = OneOf(SCOPES as readonly [Scope, ...Scope[]])

export const CreateApiKeyBody = strictObject({
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

export const ApiKeySchema = Resource('ApiKey', {
  id: Type.String(),
  app_id: Type.String(),
  name: Nullable(Type.String()),
  scopes: Type.Array(Type.String()),
  created_at: TimestampOut(),
  expires_at: Nullable(TimestampOut()),
  last_used_at: Nullable(TimestampOut({ description: 'To the minute.' })),
  revoked_at: Nullable(TimestampOut()),
})

export const ApiKeyData = Type.Object({ api_key: ApiKeySchema })

export const CreatedKeyData = Type.Object({
  api_key: ApiKeySchema,
  secret: Type.String({ description: 'The key itself. It is shown once: a replay has an empty text.' }),
})
