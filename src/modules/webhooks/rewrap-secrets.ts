import { secretBinding } from './endpoint.ts'
import { replaceSealed, sealedSecrets } from './endpoint.repository.ts'
import type { WebhooksNeeds } from './needs.ts'

/**
 * Puts a business's endpoint secrets under the newest key (`keys rotate-encryption`). Harmless to
 * repeat; answers how many endpoints were changed.
 */
export function rewrapSecrets(needs: WebhooksNeeds, businessId: string): Promise<number> {
  return needs.db.transact(businessId, async (tx) => {
    const sealed = await sealedSecrets(tx)
    const changed = sealed.flatMap((one) => {
      const bound = secretBinding(businessId, one.id)
      const secret = needs.keyring.rewrap(one.secret, bound)
      const previous = one.previous === null ? null : needs.keyring.rewrap(one.previous, bound)
      return secret === one.secret && previous === one.previous ? [] : [{ id: one.id, secret, previous }]
    })
    if (changed.length > 0) await replaceSealed(tx, changed)
    return changed.length
  })
}
