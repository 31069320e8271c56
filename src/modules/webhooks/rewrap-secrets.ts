import type { Database } from '#platform/database'
import type { Keyring } from '#platform/keyring'
import { secretBinding } from './endpoint.ts'
import { replaceSealed, sealedSecrets } from './endpoint.repository.ts'

/**
 * Puts the secrets of a business's endpoints under the newest key (`keys rotate-encryption`), in one
 * transaction: there are a hundred at most. Harmless to repeat; answers how many endpoints were changed.
 */
export function rewrapEndpointSecrets(
  db: Database,
  keyring: Pick<Keyring, 'rewrap'>,
  businessId: string,
): Promise<number> {
  return db.transact(businessId, async (tx) => {
    const sealed = await sealedSecrets(tx)
    const changed = sealed.flatMap((one) => {
      const bound = secretBinding(businessId, one.id)
      const secret = keyring.rewrap(one.secret, bound)
      const previous = one.previous === null ? null : keyring.rewrap(one.previous, bound)
      return secret === one.secret && previous === one.previous ? [] : [{ id: one.id, secret, previous }]
    })
    if (changed.length > 0) await replaceSealed(tx, changed)
    return changed.length
  })
}
