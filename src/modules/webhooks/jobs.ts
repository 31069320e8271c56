import { earliestOf, type Instant, isAfter, realClock } from '#kernel/clock'
import type { Database, Tx } from '#platform/postgres/database'
import type { Job } from '#platform/jobs/jobs'
import { oldestFinishedCreatedAt, purgeFinished } from './storage/delivery.repository.ts'
import type { Dispatcher } from './queue/dispatcher.ts'
import { DELIVERIES, PURGE } from './job-names.ts'
import { PURGE_DAYS } from './model/timings.ts'
import { MAX_CONCURRENCY } from './delivery/endpoint-limiter.ts'
import { nextDue } from './storage/queue.repository.ts'

const POLL_MS = 100
/** While the dispatcher waits for a slot it continues by itself, and an advance of a clock calls `onClockMoved`. */
const POLL_WAITING_MS = 1_000
const PURGE_BATCH = 500

/**
 * Claims due deliveries and starts sending them. Deliveries are due on the business's clock, but the job runs on the
 * real one: it runs while a clock is being advanced, and no advance waits for it.
 */
export function deliveryJob(dispatcher: Dispatcher): Job {
  return {
    name: DELIVERIES,
    clock: 'real',
    nextRunAt: (tx) => nextRunAt(tx, dispatcher.isLimited(tx.businessId)),
    run: async ({ businessId }) => dispatcher.claim(businessId),
  }
}

async function nextRunAt(tx: Tx, isLimited: boolean): Promise<Instant | null> {
  // A process leases at most MAX_CONCURRENCY deliveries, so reading one more shows the first one that is free.
  const { due_at: dueAt, leased_until: leasedUntil } = await nextDue(tx, MAX_CONCURRENCY + 1, realClock.now())
  if (dueAt === null && leasedUntil === null) return null
  const pollAt = dueAt === null ? inMs(POLL_WAITING_MS) : pollTime(tx, dueAt, isLimited)
  return earliestOf([pollAt, leasedUntil])
}

function pollTime(tx: Tx, dueAt: Instant, isLimited: boolean): Instant {
  if (tx.clockOffsetMs === undefined) return inMs(POLL_WAITING_MS)
  if (isAfter(dueAt, tx.now)) return dueAt.subtract({ milliseconds: tx.clockOffsetMs })
  return inMs(isLimited ? POLL_WAITING_MS : POLL_MS)
}

function inMs(milliseconds: number): Instant {
  return realClock.now().add({ milliseconds })
}

export function purgeJob(db: Database): Job {
  return {
    name: PURGE,
    clock: 'real',
    nextRunAt: async (tx) => {
      const createdAt = await oldestFinishedCreatedAt(tx)
      return createdAt === undefined ? null : createdAt.add({ hours: 24 * PURGE_DAYS })
    },
    run: ({ businessId, until }) =>
      db.transact(businessId, (tx) =>
        purgeFinished(tx, until.subtract({ hours: 24 * PURGE_DAYS }), PURGE_BATCH),
      ),
  }
}
