import type { Caller } from '#platform/caller'
import type { Database } from '#platform/postgres/database'
import { once } from '#platform/idempotency/idempotency'
import { requireApp } from '../api/look-up.ts'
import { untilCachesExpire } from './lookup-cache.ts'
import {
  type KeyUse,
  type PublicJwk,
  requireUsableKey,
  type RegisteredKey,
  withThumbprint,
} from './public-key.ts'
import { setPublicKey } from '../storage/repository.ts'

export async function registerPublicKey(
  db: Database,
  caller: Caller,
  use: KeyUse,
  key: PublicJwk,
): Promise<RegisteredKey> {
  await requireApp(db, caller)
  await requireUsableKey(use, key)
  const registered = await once(db, caller, async (tx) => {
    await setPublicKey(tx, caller, use, key)
    return withThumbprint(key)
  })
  if (use === 'signing') await untilCachesExpire()
  return registered
}
