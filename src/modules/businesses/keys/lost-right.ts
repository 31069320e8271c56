import { isBefore, realClock } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import { holdsScope } from '#platform/http/authorization'
import type { Scope } from '#platform/http/routes/route'
import type { Database } from '#platform/postgres/database'
import { findKeyOfTenant } from '../storage/api-key.repository.ts'

export async function lostRightOfKey(
  db: Database,
  { businessId, actor }: Pick<Caller, 'businessId' | 'actor'>,
  scope: Scope,
): Promise<'api_key_revoked' | 'api_key_expired' | 'scope_missing' | undefined> {
  const key = await findKeyOfTenant(db.shared, businessId, actor.id)
  if (key === undefined || key.revokedAt !== null) return 'api_key_revoked'
  if (key.expiresAt !== null && !isBefore(realClock.now(), key.expiresAt)) return 'api_key_expired'
  return holdsScope(new Set(key.scopes), scope) ? undefined : 'scope_missing'
}
