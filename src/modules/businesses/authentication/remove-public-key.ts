import type { Caller } from '#platform/caller'
import type { Database } from '#platform/postgres/database'
import { forgottenEverywhere } from './brief-memory.ts'
import { getRegisteredKey } from '../api/look-up.ts'
import type { KeyUse } from './public-key.ts'
import { setPublicKey } from '../storage/repository.ts'

/** Takes the key away: of a signing key, requests need no signature any more. 404 when there is none. */
export async function removePublicKey(db: Database, caller: Caller, use: KeyUse): Promise<object> {
  await getRegisteredKey(db, caller, use)
  await db.transact(caller.businessId, (tx) => setPublicKey(tx, caller, use, null))
  if (use === 'signing') await forgottenEverywhere()
  return {}
}
