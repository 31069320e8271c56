import type { Database, Tx } from '#platform/postgres/database'
import type { Keyring } from '#platform/security/keyring'
import type { Rewrap } from '#platform/security/rewrap'
import { lockWebhookSecrets, storeRewrappedSecrets } from '../storage/repository.ts'
import { secretBinding } from './webhook-secret.ts'

export function rewrapWebhookSecrets(db: Database, keyring: Pick<Keyring, 'rewrap'>): Rewrap {
  const rewrap = async (tx: Tx): Promise<number> => {
    const bound = secretBinding(tx.businessId)
    const sealed = await lockWebhookSecrets(tx)
    const secret = keyring.rewrap(sealed.secret, bound)
    const previous = sealed.previous === null ? null : keyring.rewrap(sealed.previous, bound)
    if (secret === sealed.secret && previous === sealed.previous) return 0
    await storeRewrappedSecrets(tx, { secret, previous })
    return 1
  }
  return (businessId) => db.transact(businessId, rewrap, { usesSharedTables: true })
}
