import type { Database } from '#platform/database'
import { sealBinding } from './card-vault.ts'
import type { CardKeyring } from './needs.ts'
import { replaceSealed, sealedAfter } from './payment-token.repository.ts'

/**
 * One batch of `keys rotate-encryption`: puts the card numbers of the next `limit` tokens under the newest key. Resumable
 * and harmless to repeat: what is under the newest key already stays as it is.
 * @param afterToken '' to begin, then `lastId` of the batch before
 * @returns `lastId` null when there is no further batch
 */
export async function rewrapCards(
  db: Database,
  keyring: CardKeyring,
  businessId: string,
  afterToken: string,
  limit: number,
): Promise<{ rewrapped: number; lastId: string | null }> {
  const batch = await sealedAfter(db, businessId, afterToken, limit)
  const changes = batch.map(({ token, sealed }) => ({
    token,
    from: sealed,
    to: keyring.rewrap(sealed, sealBinding(businessId, token)),
  }))
  const changed = changes.filter((change) => change.from !== change.to)
  const rewrapped =
    changed.length === 0 ? 0 : await db.transact(businessId, (tx) => replaceSealed(tx, changed))
  return { rewrapped, lastId: batch.length < limit ? null : (batch.at(-1)?.token ?? null) }
}
