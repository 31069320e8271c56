import { rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import type { OwnApiKey } from '../storage/api-key.repository.ts'

export function renderApiKey(key: OwnApiKey): object {
  return {
    id: key.id,
    app_id: key.appId,
    name: key.name,
    scopes: key.scopes,
    created_at: toRfc3339(key.createdAt),
    expires_at: rfc3339OrNull(key.expiresAt),
    last_used_at: rfc3339OrNull(key.lastUsedAt),
    revoked_at: rfc3339OrNull(key.revokedAt),
  }
}
