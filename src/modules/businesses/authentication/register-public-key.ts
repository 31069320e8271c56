import type { Caller } from '#platform/caller'
import type { Database, Tx } from '#platform/postgres/database'
import { once } from '#platform/idempotency/idempotency'
import { requireApp } from './registered-key.ts'
import { untilCachesExpire } from './lookup-cache.ts'
import { requireUsableKey, withThumbprint } from './public-key.ts'
import type { KeyUse, PublicJwk, RegisteredKey } from '../model/public-key.ts'
import { setPublicKey } from '../storage/repository.ts'

export async function registerPublicKey(
  db: Database,
  caller: Caller,
  use: KeyUse,
  key: PublicJwk,
): Promise<RegisteredKey> {
  await requireApp(db, caller)
  await requireUsableKey(use, key)
  const register = async (tx: Tx): Promise<RegisteredKey> => {
    await setPublicKey(tx, caller, use, key)
    return withThumbprint(key)
  }
  const registered = await once(db, caller, register, { usesSharedTables: true })
  if (use === 'signing') await untilCachesExpire()
  return registered
}
