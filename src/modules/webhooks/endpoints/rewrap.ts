import type { Database } from '#platform/postgres/database'
import type { Keyring } from '#platform/security/keyring'
import type { Rewrap } from '#platform/security/rewrap'
import { secretBinding } from '../model/endpoint.ts'
import { replaceSealed, sealedSecrets } from '../storage/endpoint.repository.ts'

export function rewrapEndpointSecrets(db: Database, keyring: Pick<Keyring, 'rewrap'>): Rewrap {
  return (businessId) =>
    db.transact(businessId, async (tx) => {
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
