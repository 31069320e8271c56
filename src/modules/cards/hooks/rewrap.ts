import type { Database } from '#platform/postgres/database'
import type { Keyring } from '#platform/security/keyring'
import type { Rewrap } from '#platform/security/rewrap'
import { hookSecretBinding } from './decision-hook.ts'
import { readSealedSecret, replaceSealedSecret } from '../storage/hook.repository.ts'

export function rewrapHookSecret(db: Database, keyring: Pick<Keyring, 'rewrap'>): Rewrap {
  return async (businessId) => {
    const sealed = await readSealedSecret(db, businessId)
    if (sealed === null) return 0
    const rewrapped = keyring.rewrap(sealed, hookSecretBinding(businessId))
    if (rewrapped === sealed) return 0
    return db.transact(businessId, (tx) => replaceSealedSecret(tx, sealed, rewrapped))
  }
}
