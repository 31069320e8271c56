import type { Database } from '#platform/database'
import type { Keyring } from '#platform/keyring'
import { lockWebhookSecrets, replaceSealedSecrets } from './repository.ts'
import { secretBinding } from './webhook-secret.ts'

/**
 * Puts a tenant's webhook secrets under the newest key (`keys rotate-encryption`). Harmless to repeat; answers 1 when they
 * were changed.
 */
export function rewrapWebhookSecret(
  db: Database,
  keyring: Pick<Keyring, 'rewrap'>,
  businessId: string,
): Promise<number> {
  const bound = secretBinding(businessId)
  return db.transact(businessId, async (tx) => {
    const sealed = await lockWebhookSecrets(tx)
    const secret = keyring.rewrap(sealed.secret, bound)
    const previous = sealed.previous === null ? null : keyring.rewrap(sealed.previous, bound)
    if (secret === sealed.secret && previous === sealed.previous) return 0
    await replaceSealedSecrets(tx, { secret, previous })
    return 1
  })
}
