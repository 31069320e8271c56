import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Tx } from '#platform/postgres/database'
import type { JobRun } from '#platform/jobs/jobs'

/** Work that is leased while somebody is at it, outside any transaction. */
export interface LeasedWork<Item> {
  /** Leases what is due and leased to nobody. */
  claim(tx: Tx): Promise<Item[]>
  /** Whether something is due that somebody else is at. */
  hasLeased(tx: Tx): Promise<boolean>
}

const POLL_MS = 50

/**
 * Claims what is due. While a clock is being advanced, what a caller is at in this moment is waited for: the advance
 * answers only when all that is due has happened. It ends with the call, with the lease, or when the run is to stop.
 */
export async function claimDue<Item>(db: Database, run: JobRun, work: LeasedWork<Item>): Promise<Item[]> {
  for (;;) {
    const { claimed, isHeld } = await db.transact(run.businessId, async (tx) => {
      const items = await work.claim(tx)
      const isAdvancing = tx.clockOffsetMs === undefined
      return { claimed: items, isHeld: items.length === 0 && isAdvancing && (await work.hasLeased(tx)) }
    })
    if (!isHeld || run.isStopping?.() === true) return claimed
    await sleep(POLL_MS)
  }
}
