import sql from 'sql-template-tag'
import { setTimeout as sleep } from 'node:timers/promises'
import { earliestOf, realClock } from '#kernel/clock'
import type { Semaphore } from '#kernel/semaphore'
import type { Database, Tx } from '#platform/postgres/database'
import { scheduleJob } from '#platform/jobs/jobs'
import type { Log } from '#platform/observability/log'
import { DELIVERIES } from '../job-names.ts'
import { HANDOVER_MS } from '../model/timings.ts'
import { closedEndpoints, disableEndpoints } from '../storage/endpoint.repository.ts'
import {
  type DeliveryResult,
  type EndpointReceiver,
  expediteRetries,
  extendDelivery,
  type HeldLease,
  makeNextDue,
  recordResults,
} from '../storage/queue.repository.ts'

export interface SendResult extends DeliveryResult {
  readonly isGone: boolean
}

/** Results that arrive within it share a commit. */
const BATCH_WINDOW_MS = 3
const MAX_BATCH = 200
/**
 * Writing is retried while the database is unreachable. After that the leases expire and the deliveries are sent
 * again.
 */
const MAX_WRITES = 10
const WRITE_RETRY_MS = 500

export class ResultWriter {
  readonly #db: Database
  readonly #log: Log
  readonly #transactions: Semaphore
  readonly #onWritten: (businessId: string, nowDue: number) => void
  readonly #queued = new Map<string, SendResult[]>()
  readonly #writing = new Map<string, Promise<void>>()
  #unwritten = 0

  constructor(deps: {
    readonly db: Database
    readonly log: Log
    readonly transactions: Semaphore
    readonly onWritten: (businessId: string, nowDue: number) => void
  }) {
    this.#db = deps.db
    this.#log = deps.log
    this.#transactions = deps.transactions
    this.#onWritten = deps.onWritten
  }

  get unwritten(): number {
    return this.#unwritten
  }

  add(businessId: string, result: SendResult): void {
    this.#unwritten++
    const queued = this.#queued.get(businessId)
    if (queued !== undefined) queued.push(result)
    else this.#queued.set(businessId, [result])
    if (this.#writing.has(businessId)) return
    const writing = this.#write(businessId).finally(() => this.#writing.delete(businessId))
    this.#writing.set(businessId, writing)
  }

  /** Returns false if another process has leased the delivery. */
  async extendLease(businessId: string, held: HeldLease, ms: number): Promise<boolean> {
    const until = realClock.now().add({ milliseconds: ms })
    try {
      return await this.#transactions.run(() =>
        this.#db.transact(businessId, (tx) => extendDelivery(tx, held, until)),
      )
    } catch (error) {
      this.#log.warn({ err: error }, 'cannot extend the lease of a delivery, which may be sent twice')
      return true
    }
  }

  async flush(): Promise<void> {
    while (this.#writing.size > 0) await Promise.all(this.#writing.values())
  }

  async #write(businessId: string): Promise<void> {
    await sleep(BATCH_WINDOW_MS)
    for (;;) {
      const batch = this.#nextBatch(businessId)
      if (batch.length === 0) return
      const nowDue = await this.#writeBatch(businessId, batch)
      this.#unwritten -= batch.length
      this.#onWritten(businessId, nowDue)
    }
  }

  #nextBatch(businessId: string): SendResult[] {
    const queued = this.#queued.get(businessId) ?? []
    const batch = queued.splice(0, MAX_BATCH)
    if (queued.length === 0) this.#queued.delete(businessId)
    return batch
  }

  async #writeBatch(businessId: string, batch: readonly SendResult[]): Promise<number> {
    for (let write = 1; write <= MAX_WRITES; write++) {
      try {
        return await this.#transactions.run(() => this.#db.transact(businessId, (tx) => record(tx, batch)))
      } catch (error) {
        this.#log.warn({ err: error, business_id: businessId }, 'cannot record the results of deliveries')
        await sleep(WRITE_RETRY_MS)
      }
    }
    return 0
  }
}

async function record(tx: Tx, batch: readonly SendResult[]): Promise<number> {
  const finished = batch.filter(({ state, inOrder }) => state !== 'pending' && inOrder)
  const [, nextAttemptAt, released] = await Promise.all([
    commitWithoutDisk(tx),
    recordResults(tx, batch),
    finished.length === 0 ? 0 : makeNextDue(tx, finished),
  ])
  const nowDue = released + (await expediteClosedEndpoints(tx, batch))
  const handedOverAt = nowDue > 0 ? tx.now.add({ milliseconds: HANDOVER_MS }) : null
  const dueAt = earliestOf([nextAttemptAt, handedOverAt])
  if (dueAt !== null) {
    const inMs = Math.max(0, dueAt.since(tx.now).total('milliseconds'))
    await scheduleJob(tx, DELIVERIES, realClock.now().add({ milliseconds: Math.round(inMs) }), 'real')
  }
  return nowDue
}

/**
 * Disables endpoints that responded with 410. Makes retries at these, and at endpoints that were closed during their
 * request, due now, so that they are exhausted. Runs after the results were stored, and so sees a deletion that they
 * waited for.
 */
async function expediteClosedEndpoints(tx: Tx, batch: readonly SendResult[]): Promise<number> {
  const gone = endpointReceivers(batch.filter(({ isGone }) => isGone))
  if (gone.size > 0) await disableEndpoints(tx, [...gone.keys()])
  const failed = endpointReceivers(
    batch.filter(({ isGone, state, attempt }) => isGone || state === 'pending' || attempt === null),
  )
  if (failed.size === 0) return 0
  const closed = new Set(await closedEndpoints(tx, [...failed.keys()]))
  const receivers = [...failed.values()].filter(({ endpointId }) => closed.has(endpointId))
  return receivers.length === 0 ? 0 : expediteRetries(tx, receivers)
}

function endpointReceivers(results: readonly SendResult[]): Map<string, EndpointReceiver> {
  return new Map(
    results.flatMap(({ endpointId, receiver }) =>
      endpointId === null ? [] : [[endpointId, { endpointId, receiver }]],
    ),
  )
}

/** Leases and results that a crash loses only repeat a delivery, which receivers must expect anyway. */
export async function commitWithoutDisk(tx: Tx): Promise<void> {
  await tx.execute(sql`select set_config('synchronous_commit', 'off', true)`)
}
