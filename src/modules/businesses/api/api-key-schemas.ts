import Type from 'typebox'
import { Nullable, Resource, strictObject, TimestampOut } from '#platform/http/validation/schemas'
import { OwnKeyRequestSchema } from '../keys/own-keys.ts'

export const CreateApiKeyBody = strictObject({ api_key: OwnKeyRequestSchema })

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
