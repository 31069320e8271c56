import type { Caller } from '#platform/caller'
import type { Database } from '#platform/postgres/database'
import { untilCachesExpire } from './lookup-cache.ts'
import { getRegisteredKey, requireApp } from './registered-key.ts'
import type { KeyUse } from '../model/public-key.ts'
import { setPublicKey } from '../storage/repository.ts'

export async function removePublicKey(db: Database, caller: Caller, use: KeyUse): Promise<void> {
  await requireApp(db, caller)
  await getRegisteredKey(db, caller, use)
  await db.transact(caller.businessId, (tx) => setPublicKey(tx, caller, use, null), {
    usesSharedTables: true,
  })
  if (use === 'signing') await untilCachesExpire()
}
