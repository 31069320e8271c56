import { newId } from '#kernel/ids'
import type { OrderChange } from '#modules/payments'
import type { Tx } from '#platform/postgres/database'
import { findStandingWriteOffs, insertWriteOffs } from '../storage/write-off.repository.ts'
import { decideReversals } from './decide-reversals.ts'

/**
 * Reverses what orders no longer show as written off, because it was credited: by a note, by a reissue or by a void. Orders of
 * which nothing is reversed cost no statement.
 */
export async function reverseWriteOffs(tx: Tx, changes: readonly OrderChange[]): Promise<void> {
  const lowered = changes.filter(
    ({ before, order }) => before !== null && order.writtenOff.lessThan(before.writtenOff),
  )
  if (lowered.length === 0) return
  const standing = await findStandingWriteOffs(
    tx,
    lowered.map(({ order }) => order.id),
  )
  await insertWriteOffs(
    tx,
    lowered
      .flatMap(({ order }) => decideReversals(standing.get(order.id) ?? [], order.writtenOff))
      .map((reversal) => ({ ...reversal, id: newId('wof') })),
  )
}
