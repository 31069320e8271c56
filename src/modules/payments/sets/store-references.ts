import type { Outcome } from '#platform/batches/batches'
import type { Tx } from '#platform/postgres/database'
import { type NewReference, storeReferences } from '../storage/operation.repository.ts'

/** Commits the acquirer's ids of charges that wait together. False for a charge that somebody else has taken over. */
export async function storeReferencesTogether(
  tx: Tx,
  references: readonly NewReference[],
): Promise<Outcome<boolean>[]> {
  const stored = await storeReferences(tx, references)
  return references.map(({ operation: { key } }) => ({ kind: 'done', value: stored.has(key) }))
}
