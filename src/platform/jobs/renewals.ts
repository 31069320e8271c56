import { realClock } from '#kernel/clock'
import type { Database } from '#platform/postgres/database'
import { extendLeases, type HeldRow, type LeasedTable } from './leases.ts'

/** A lease survives a renewal that fails, a slow database and a stall of half its time. */
export const RENEWALS_PER_LEASE = 4

/**
 * - `firstAfterMs`: `everyMs` unless given.
 * - `renew`: Extends the lease. Returns false once somebody else has it.
 */
export interface Renewal {
  readonly firstAfterMs?: number
  readonly everyMs: number
  readonly renew: () => Promise<boolean>
}

/**
 * Renews a lease while `work` runs. A renewal that fails is tried again after `everyMs`. If none succeeds before the lease ends,
 * others take over, so results are recorded only under the lease.
 */
export async function whileRenewing<Result>(
  { everyMs, firstAfterMs = everyMs, renew }: Renewal,
  work: (isLost: () => boolean) => Promise<Result>,
): Promise<Result> {
  let isLost = false
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  const renewAfter = (ms: number): void => {
    timer = setTimeout(() => void renewNow(), ms)
  }
  const renewNow = async (): Promise<void> => {
    const isHeld = await renew().catch(() => true)
    if (!isHeld) isLost = true
    else if (!isOver) renewAfter(everyMs)
  }
  renewAfter(firstAfterMs)
  try {
    return await work(() => isLost)
  } finally {
    isOver = true
    clearTimeout(timer)
  }
}

/** Renews leases of `leaseMs` on rows, of which some may have been released meanwhile. */
export function renewalOfRows(
  db: Pick<Database, 'transact'>,
  businessId: string,
  table: LeasedTable,
  held: readonly HeldRow[],
  leaseMs: number,
): Renewal {
  return {
    everyMs: leaseMs / RENEWALS_PER_LEASE,
    renew: async () => {
      const until = realClock.now().add({ milliseconds: leaseMs })
      return (await db.transact(businessId, (tx) => extendLeases(tx, table, held, until))) > 0
    },
  }
}
