import type { Database } from '#platform/database'
import type { Keyring } from '#platform/keyring'
import { sealBinding } from './card-number.ts'
import { replaceSealedNumbers, sealedNumbersAfter } from './card.repository.ts'
import { hookSecretBinding } from './decision-hook.ts'
import { readSealedSecret, replaceSealedSecret } from './hook.repository.ts'

/**
 * One batch of `keys rotate-encryption`: puts the numbers of the next `limit` cards under the newest key. Resumable and
 * harmless to repeat.
 * @param afterId '' to begin, then `lastId` of the batch before
 * @returns `lastId` null when there is no further batch
 */
export async function rewrapCardNumbers(
  db: Database,
  keyring: Pick<Keyring, 'rewrap'>,
  businessId: string,
  afterId: string,
  limit: number,
): Promise<{ rewrapped: number; lastId: string | null }> {
  const batch = await sealedNumbersAfter(db, businessId, afterId, limit)
  const changes = batch
    .map(({ id, sealedNumber }) => ({
      id,
      from: sealedNumber,
      to: keyring.rewrap(sealedNumber, sealBinding(businessId, id)),
    }))
    .filter((change) => change.from !== change.to)
  const rewrapped =
    changes.length === 0 ? 0 : await db.transact(businessId, (tx) => replaceSealedNumbers(tx, changes))
  return { rewrapped, lastId: batch.length < limit ? null : (batch.at(-1)?.id ?? null) }
}

export async function rewrapHookSecret(
  db: Database,
  keyring: Pick<Keyring, 'rewrap'>,
  businessId: string,
): Promise<number> {
  const sealed = await readSealedSecret(db, businessId)
  if (sealed === null) return 0
  const rewrapped = keyring.rewrap(sealed, hookSecretBinding(businessId))
  if (rewrapped === sealed) return 0
  return db.transact(businessId, (tx) => replaceSealedSecret(tx, sealed, rewrapped))
}
