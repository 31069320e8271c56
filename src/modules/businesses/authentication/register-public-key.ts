import type { Caller } from '#platform/caller'
import type { Database } from '#platform/postgres/database'
import { once } from '#platform/idempotency/idempotency'
import { forgottenEverywhere } from './brief-memory.ts'
import { type KeyUse, type PublicJwk, readPublicKey, type RegisteredKey, registered } from './public-key.ts'
import { setPublicKey } from '../storage/repository.ts'

/** Registers a key in place of any before it. Answers once every process goes by it. */
export async function registerPublicKey(
  db: Database,
  caller: Caller,
  use: KeyUse,
  key: PublicJwk,
): Promise<RegisteredKey> {
  readPublicKey(use, key)
  const answer = await once(db, caller, async (tx) => {
    await setPublicKey(tx, caller, use, key)
    return registered(key)
  })
  if (use === 'signing') await forgottenEverywhere()
  return answer
}
