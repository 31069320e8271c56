import { earliestOf, type Instant, isAfter, realClock } from '#kernel/clock'
import type { Database, Tx } from '#platform/postgres/database'
import type { Job } from '#platform/jobs/jobs'
import { oldestFinishedMadeAt, purgeFinished } from './storage/delivery.repository.ts'
import type { Dispatcher } from './queue/dispatcher.ts'
import { DELIVERIES, PURGE } from './job-kinds.ts'
import { KEPT_DAYS } from './storage/due-times.ts'
import { MAX_PLACES } from './queue/lanes.ts'
import { nextDue } from './storage/queue.repository.ts'

/** What is due and was not claimed is looked at again after this. */
const LOOK_AGAIN_MS = 100
/** The same while it waits for a place, which the dispatcher sees by itself, or for a clock that is being advanced. */
const LOOK_AGAIN_WAITING_MS = 1_000
const PURGE_BATCH = 500

/**
 * Finds the businesses that have something to deliver. The rows are due on the business's clock, the
 * work is on the real one: it goes on while a clock is being advanced, and no advance waits for it.
 * A run claims and hands over; it waits for no receiver.
 */
export function deliveryWork(dispatcher: Dispatcher): Job {
  return {
    name: DELIVERIES,
    clock: 'real',
    nextRunAt: (tx) => nextLook(tx, dispatcher.isBlocked(tx.businessId)),
    run: async ({ businessId }) => dispatcher.pull(businessId),
  }
}

/** When to look at a business again, on the real clock. */
async function nextLook(tx: Tx, isBlocked: boolean): Promise<Instant | null> {
  // As many as one process has places for may be leased before the first that is not.
  const { due_at: dueAt, leased_until: leasedUntil } = await nextDue(tx, MAX_PLACES + 1, realClock.now())
  if (dueAt === null && leasedUntil === null) return null
  // When all that was seen is leased, there may be more behind it.
  const look = dueAt === null ? lookAgain(LOOK_AGAIN_WAITING_MS) : lookFor(tx, dueAt, isBlocked)
  return earliestOf([look, leasedUntil])
}

function lookFor(tx: Tx, dueAt: Instant, isBlocked: boolean): Instant {
  if (tx.clockOffsetMs === undefined) return lookAgain(LOOK_AGAIN_WAITING_MS)
  if (isAfter(dueAt, tx.now)) return dueAt.subtract({ milliseconds: tx.clockOffsetMs })
  return lookAgain(isBlocked ? LOOK_AGAIN_WAITING_MS : LOOK_AGAIN_MS)
}

function lookAgain(inMs: number): Instant {
  return realClock.now().add({ milliseconds: inMs })
}

/** Forgets deliveries 30 real days after they were made, unless they are still under way. */
export function deliveryPurge(db: Database): Job {
  return {
    name: PURGE,
    clock: 'real',
    nextRunAt: async (tx) => {
      const madeAt = await oldestFinishedMadeAt(tx)
      return madeAt === undefined ? null : madeAt.add({ hours: 24 * KEPT_DAYS })
    },
    run: ({ businessId, until }) =>
      db.transact(businessId, (tx) =>
        purgeFinished(tx, until.subtract({ hours: 24 * KEPT_DAYS }), PURGE_BATCH),
      ),
  }
}
