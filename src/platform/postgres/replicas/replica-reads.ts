import type { Database } from '#platform/postgres/database'
import { isUnreachable } from '#platform/postgres/database-errors'
import { currentStaleness } from '#platform/request-scope'
import { codeOf } from '#platform/thrown'

export interface Replica {
  readonly db: Database
  ageMs(): number
}

/**
 * - `choose`: A replica with everything that this process has written for the business; undefined if there is none.
 * - `isFresh`: Whether a replica that was chosen before is still fresh enough.
 */
export interface ReplicaReads {
  choose(businessId: string): Replica | undefined
  isFresh(replica: Replica): boolean
  wrote(businessId: string): void
  close(): Promise<void>
}

const NOT_ON_A_REPLICA = /^(?:40001|25006)$/

export async function readSomewhere<T>(
  reads: ReplicaReads,
  businessId: string,
  primary: () => Promise<T>,
  read: (db: Database) => Promise<T>,
): Promise<T> {
  const staleness = currentStaleness()
  if (staleness === undefined || staleness.source === 'primary') return primary()
  const pinned = staleness.source as Replica | undefined
  const replica = pinned ?? reads.choose(businessId)
  if (replica !== undefined && reads.isFresh(replica)) {
    staleness.source = replica
    const ageMs = replica.ageMs()
    try {
      const found = await read(replica.db)
      if (isStillOnReplica(staleness)) staleness.ageMs = Math.max(staleness.ageMs ?? 0, ageMs)
      return found
    } catch (error) {
      if (!isUnreachable(error) && !NOT_ON_A_REPLICA.test(codeOf(error) ?? '')) throw error
    }
  }
  staleness.source = 'primary'
  return primary()
}

function isStillOnReplica(staleness: { readonly source: object | 'primary' | undefined }): boolean {
  return staleness.source !== 'primary'
}
