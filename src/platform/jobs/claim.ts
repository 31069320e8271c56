import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Tx } from '#platform/postgres/database'
import type { JobRun } from '#platform/jobs/jobs'

export interface LeasedItems<Item> {
  claim(tx: Tx): Promise<Item[]>
  hasLeased(tx: Tx): Promise<boolean>
}

const POLL_MS = 50

/**
 * Claims rows that are due. While a clock is being advanced it waits for leases of others to end, because the advance
 * returns only when everything that is due has happened.
 */
export async function claimDue<Item>(db: Database, run: JobRun, leased: LeasedItems<Item>): Promise<Item[]> {
  for (;;) {
    const { items, mustWait } = await db.transact(run.businessId, async (tx) => {
      const claimed = await leased.claim(tx)
      const isAdvancing = tx.clockOffsetMs === undefined
      return {
        items: claimed,
        mustWait: claimed.length === 0 && isAdvancing && (await leased.hasLeased(tx)),
      }
    })
    if (!mustWait || run.isStopping?.() === true) return items
    await sleep(POLL_MS)
  }
}
