import { type Instant, realClock } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { Environment } from '#platform/caller'
import type { Database } from '#platform/postgres/database'
import type { Scope } from '#platform/http/routes/route'
import { hashOfApiKey, newApiKey } from '../model/api-key.ts'
import { CommandError } from '../command-error.ts'
import { findAppEnvironments, insertApiKey } from '../storage/repository.ts'

/** A rotation needs two keys, and apps with different scopes need a few more. The bound stops a runaway script. */
export const MAX_ACTIVE_KEYS = 100

export interface ApiKeyRequest {
  readonly appId: string
  readonly environment: Environment
  readonly scopes: readonly Scope[]
  readonly expiresAt: Instant | null
  readonly name?: string | null
}

export async function createApiKey(
  db: Database,
  key: ApiKeyRequest,
): Promise<{ keyId: string; apiKey: string }> {
  const environments = await findAppEnvironments(db.shared, key.appId)
  if (!environments.includes(key.environment)) throw new CommandError(`No app has the id ${key.appId}.`)
  const keyId = newId('key')
  const apiKey = newApiKey(key.environment)
  const stored = {
    ...key,
    name: key.name ?? null,
    keyId,
    hash: hashOfApiKey(apiKey),
    createdAt: realClock.now(),
  }
  if (await insertApiKey(db.shared, stored, MAX_ACTIVE_KEYS)) return { keyId, apiKey }
  throw new CommandError(
    `The app already has ${MAX_ACTIVE_KEYS} active ${key.environment} keys. Revoke one first.`,
  )
}
