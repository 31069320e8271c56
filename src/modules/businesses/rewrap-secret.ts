import type { Database } from '#platform/database'
import type { Keyring } from '#platform/keyring'
import { getBusiness } from './look-up.ts'
import { replaceSealedSecret } from './repository.ts'
import { secretBinding } from './webhook-secret.ts'

/** Puts a tenant's webhook secret under the newest key (`keys rotate-encryption`). Harmless to repeat; answers 1 when it was changed. */
export async function rewrapWebhookSecret(
  db: Database,
  keyring: Pick<Keyring, 'rewrap'>,
  businessId: string,
): Promise<number> {
  const { sealedSecret: from } = await getBusiness(db, businessId)
  const to = keyring.rewrap(from, secretBinding(businessId))
  if (to === from) return 0
  return (await replaceSealedSecret(db.shared, { businessId, from, to })) ? 1 : 0
}
