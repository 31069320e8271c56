import { newId } from '#kernel/ids'
import type { OrderChange } from '#modules/payments'
import type { Tx } from '#platform/postgres/database'
import type { WriteOff } from '../model/write-off.ts'
import { findStandingWriteOffs, insertWriteOffs } from '../storage/write-off.repository.ts'

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
    lowered.flatMap(({ order }) => reversals(standing.get(order.id) ?? [], order.writtenOff)),
  )
}

/** Reverses the newest write-offs first. Those of an undone or returned match ended with it, and do not stand. */
function reversals(standing: readonly WriteOff[], writtenOff: WriteOff['amount']): WriteOff[] {
  let left = standing.reduce((sum, { amount }) => sum.plus(amount), writtenOff.negated())
  return standing.toReversed().flatMap((one) => {
    const part = one.amount.lessThan(left) ? one.amount : left
    if (!part.isPositive()) return []
    left = left.minus(part)
    return { ...one, id: newId('wof'), amount: part.negated(), reason: '' }
  })
}
