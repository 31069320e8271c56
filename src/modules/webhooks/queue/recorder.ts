import sql from 'sql-template-tag'
import { setTimeout as sleep } from 'node:timers/promises'
import { earliestOf, realClock } from '#kernel/clock'
import type { Semaphore } from '#kernel/semaphore'
import type { Database, Tx } from '#platform/postgres/database'
import { scheduleJob } from '#platform/jobs/jobs'
import type { Log } from '#platform/observability/log'
import { DELIVERIES } from '../job-kinds.ts'
import { HANDOVER_MS } from '../storage/due-times.ts'
import { closedEndpoints, disableEndpoints } from '../storage/endpoint.repository.ts'
import {
  type Receiver,
  extendLeases,
  hastenRetries,
  type Outcome,
  recordOutcomes,
  releaseNext,
} from '../storage/queue.repository.ts'

/** What is to be written about one delivery. */
export interface Entry extends Outcome {
  readonly endpointId: string | null
  /** The receiver answered 410. */
  readonly isGone: boolean
}

/** Outcomes that come within this are written together: one statement for hundreds. */
const GATHER_MS = 3
const BATCH = 200
/** While the database is away; after that the leases are over, and the deliveries are made again. */
const MAX_TRIES = 10
const TRY_AGAIN_MS = 500

/**
 * Writes outcomes in batches, one batch of a business at a time. What is lost in a crash is delivered
 * again: that is why these transactions need not wait for the disk.
 */
export class Recorder {
  readonly #db: Database
  readonly #log: Log
  readonly #transactions: Semaphore
  readonly #onRecorded: (businessId: string, released: number) => void
  readonly #waiting = new Map<string, Entry[]>()
  readonly #writing = new Map<string, Promise<void>>()
  #count = 0

  constructor(deps: {
    readonly db: Database
    readonly log: Log
    readonly transactions: Semaphore
    /** `released`: how many deliveries became due by what was written. */
    readonly onRecorded: (businessId: string, released: number) => void
  }) {
    this.#db = deps.db
    this.#log = deps.log
    this.#transactions = deps.transactions
    this.#onRecorded = deps.onRecorded
  }

  /** Outcomes that are not written yet. */
  get count(): number {
    return this.#count
  }

  add(businessId: string, entry: Entry): void {
    this.#count++
    const waiting = this.#waiting.get(businessId)
    if (waiting !== undefined) waiting.push(entry)
    else this.#waiting.set(businessId, [entry])
    if (this.#writing.has(businessId)) return
    const writing = this.#write(businessId).finally(() => this.#writing.delete(businessId))
    this.#writing.set(businessId, writing)
  }

  /** Gives leases more time. Best effort: one that is not given more is delivered again. */
  async extend(businessId: string, id: string, leaseId: string, ms: number): Promise<void> {
    const until = realClock.now().add({ milliseconds: ms })
    await this.#transactions
      .run(() => this.#db.transact(businessId, (tx) => extendLeases(tx, [{ id, leaseId }], until)))
      .catch((error: unknown) => this.#log.warn({ err: error }, 'could not extend the lease of a delivery'))
  }

  /** Settles when all that was added is written. */
  async flush(): Promise<void> {
    while (this.#writing.size > 0) await Promise.all(this.#writing.values())
  }

  async #write(businessId: string): Promise<void> {
    await sleep(GATHER_MS)
    for (;;) {
      const batch = this.#takeBatch(businessId)
      if (batch.length === 0) return
      const released = await this.#writeBatch(businessId, batch)
      this.#count -= batch.length
      this.#onRecorded(businessId, released)
    }
  }

  #takeBatch(businessId: string): Entry[] {
    const waiting = this.#waiting.get(businessId) ?? []
    const batch = waiting.splice(0, BATCH)
    if (waiting.length === 0) this.#waiting.delete(businessId)
    return batch
  }

  async #writeBatch(businessId: string, batch: readonly Entry[]): Promise<number> {
    for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
      try {
        return await this.#transactions.run(() => this.#db.transact(businessId, (tx) => record(tx, batch)))
      } catch (error) {
        this.#log.warn({ err: error, business_id: businessId }, 'could not record deliveries')
        await sleep(TRY_AGAIN_MS)
      }
    }
    return 0
  }
}

async function record(tx: Tx, batch: readonly Entry[]): Promise<number> {
  const finished = batch.filter((one) => one.state !== 'pending' && one.inOrder)
  const [, nextAttemptAt, released] = await Promise.all([
    notWaitingForDisk(tx),
    recordOutcomes(tx, batch),
    finished.length === 0 ? 0 : releaseNext(tx, finished),
  ])
  const nowDue = released + (await hastenUseless(tx, batch))
  const handedOverAt = nowDue > 0 ? tx.now.add({ milliseconds: HANDOVER_MS }) : null
  const dueAt = earliestOf([nextAttemptAt, handedOverAt])
  if (dueAt !== null) {
    const inMs = Math.max(0, dueAt.since(tx.now).total('milliseconds'))
    await scheduleJob(tx, DELIVERIES, realClock.now().add({ milliseconds: Math.round(inMs) }), 'real')
  }
  return nowDue
}

/**
 * Disables endpoints that answered 410. What is to be tried again at these, or at one that was closed while somebody was
 * at it, becomes due; and where some of it was given up, the next of it. A statement of its own, after the outcomes were
 * stored: it sees a deletion that they waited for.
 */
async function hastenUseless(tx: Tx, batch: readonly Entry[]): Promise<number> {
  const gone = receiversOf(batch.filter((entry) => entry.isGone))
  if (gone.size > 0) await disableEndpoints(tx, [...gone.keys()])
  const failed = receiversOf(
    batch.filter(({ isGone, state, attempt }) => isGone || state === 'pending' || attempt === null),
  )
  if (failed.size === 0) return 0
  const closed = new Set(await closedEndpoints(tx, [...failed.keys()]))
  const receivers = [...failed.values()].filter(({ endpointId }) => closed.has(endpointId))
  return receivers.length === 0 ? 0 : hastenRetries(tx, receivers)
}

/** The endpoints of these, by id. */
function receiversOf(entries: readonly Entry[]): Map<string, Receiver> {
  return new Map(
    entries.flatMap(({ endpointId, lane }) =>
      endpointId === null ? [] : [[endpointId, { endpointId, lane }]],
    ),
  )
}

/** The rows are leases and what came of them: after a crash the work is done again. */
export async function notWaitingForDisk(tx: Tx): Promise<void> {
  await tx.execute(sql`select set_config('synchronous_commit', 'off', true)`)
}
