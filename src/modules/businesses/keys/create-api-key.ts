import type { Instant } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { Environment } from '#platform/caller'
import type { Database } from '#platform/postgres/database'
import type { Scope } from '#platform/http/routes/route'
import { hashOfApiKey, newApiKey } from './api-key.ts'
import { CannotDo } from '../api/cannot-do.ts'
import { findAppEnvironments, insertApiKey } from '../storage/repository.ts'

/**
 * Two valid at a time is what a rotation needs; an app may also have keys of different scopes. The bound
 * is there so that a script gone wrong is noticed.
 */
const MAX_ACTIVE_KEYS = 100

export interface ApiKeyRequest {
  readonly appId: string
  readonly environment: Environment
  readonly scopes: readonly Scope[]
  readonly expiresAt: Instant | null
}

/** Makes a key; it is shown once. Throws `CannotDo`. */
export async function createApiKey(
  db: Database,
  key: ApiKeyRequest,
): Promise<{ keyId: string; apiKey: string }> {
  const environments = await findAppEnvironments(db.shared, key.appId)
  if (!environments.includes(key.environment)) throw new CannotDo(`There is no app ${key.appId}.`)
  const keyId = newId('key')
  const apiKey = newApiKey(key.environment)
  const stored = { ...key, keyId, hash: hashOfApiKey(apiKey) }
  if (await insertApiKey(db.shared, stored, MAX_ACTIVE_KEYS)) return { keyId, apiKey }
  throw new CannotDo(`The app has ${MAX_ACTIVE_KEYS} active ${key.environment} keys: revoke one first.`)
}
