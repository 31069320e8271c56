import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { onOwnBehalf } from '#platform/request-scope'
import { Counter } from 'prom-client'
import { realNowMs } from '#kernel/clock'
import type { HandledRequest, RequestRecorder } from '#platform/http/routes/request-recorder'
import { messageOf } from '#platform/thrown'
import type { RequestLogDependencies } from '../dependencies.ts'
import { keepPartitions } from '#platform/postgres/partitions/partitions'
import { requestLogTables } from '../storage/partitions.ts'
import { bundled, insertBundles } from '../storage/bundles.ts'
import { isRefusedData, isWithoutPartition } from '../storage/entry.repository.ts'
import type { NewEntry } from '../model/entry.ts'
import { entryOf, type PendingEntry } from './entry-of.ts'

/** A process that is killed loses this much of its log (docs/decisions/request-log). */
const FLUSH_EVERY_MS = 250
/** Two seconds at 2,000 requests a second; more means that the database cannot keep up. */
const MAX_PENDING = 4_000
/** The bound of reference/logs#cost. */
const MAX_PENDING_BYTES = 16 * 1024 * 1024
/** No turn of the event loop redacts for more than about 2 ms (docs/decisions/request-log). */
const BATCH = 100
/** The process serves nobody while it redacts: 2 ms for 100 usual entries, and more than that for one with a large body. */
const MAX_REDACTION_MS = 5
/** The number of reference/logs#cost. */
const MAX_ATTEMPTS = 4
const RETRY_AFTER_MS = 250
/** A process has 45 s to stop, and requests under way may take 30 of them (docs/operating/deploying.md). */
export const MAX_CLOSE_MS = 5_000

export class Recorder implements RequestRecorder {
  readonly #deps: RequestLogDependencies
  readonly #dropped: Counter
  #pending: PendingEntry[] = []
  #pendingBytes = 0
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> | undefined

  constructor(deps: RequestLogDependencies) {
    this.#deps = deps
    this.#dropped = new Counter({
      name: 'request_log_dropped_total',
      help: 'Requests missing in the request log, because the database could not keep up or failed.',
      registers: [deps.registry],
    })
  }

  record(handled: HandledRequest): void {
    const { request, responseBody } = handled
    const requestBody = request.method !== 'GET' && Buffer.isBuffer(request.body) ? request.body : undefined
    const bytes = (requestBody?.length ?? 0) + (responseBody?.length ?? 0)
    if (this.#pending.length >= MAX_PENDING || this.#pendingBytes + bytes > MAX_PENDING_BYTES) {
      this.#dropped.inc()
      return
    }
    const key = request.headers['idempotency-key']
    this.#pending.push({
      requestId: request.id,
      method: request.method,
      target: request.raw.url ?? '',
      route: handled.route,
      principal: handled.principal,
      status: handled.status,
      reason: handled.reason,
      startedAtMs: realNowMs() - Math.round(handled.durationMs),
      durationMs: handled.durationMs,
      isWrite: handled.isWrite,
      isReplayed: handled.isReplayed,
      ipAddress: request.ip,
      userAgent: request.headers['user-agent'],
      idempotencyKey: handled.isWrite && typeof key === 'string' ? key : undefined,
      requestBody,
      responseBody,
    })
    this.#pendingBytes += bytes
    this.#timer ??= onOwnBehalf(() => setTimeout(() => void this.flush(), FLUSH_EVERY_MS).unref())
    if (this.#pending.length === MAX_PENDING / 2) onOwnBehalf(() => void this.flush())
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#flushing
    this.#flushing ??= this.#write(this.#takePending()).finally(() => {
      this.#flushing = undefined
    })
    await this.#flushing
  }

  async close(): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => resolve(undefined), MAX_CLOSE_MS)
    await Promise.race([this.flush(), late])
    clearTimeout(timer)
  }

  #takePending(): PendingEntry[] {
    const taken = this.#pending
    this.#pending = []
    this.#pendingBytes = 0
    return taken
  }

  async #write(pending: readonly PendingEntry[]): Promise<void> {
    const byBusiness = Map.groupBy(pending, ({ principal }) => principal.businessId)
    for (const [businessId, ofBusiness] of byBusiness) {
      for (let from = 0; from < ofBusiness.length; from += BATCH) {
        await this.#writeBatch(businessId, ofBusiness.slice(from, from + BATCH))
      }
    }
  }

  async #makePartitions(): Promise<void> {
    const { db, days } = this.#deps
    for (const table of requestLogTables(days)) await keepPartitions(db.shared, table)
  }

  async #writeBatch(businessId: string, batch: readonly PendingEntry[]): Promise<void> {
    const { db, log } = this.#deps
    try {
      const bundles = bundled(await entriesOf(batch))
      for (let attempt = 1; ; attempt++) {
        try {
          return await db.transact(businessId, (tx) => insertBundles(tx, bundles))
        } catch (error) {
          if (attempt === MAX_ATTEMPTS) throw error
          if (isWithoutPartition(error)) await this.#makePartitions()
          else if (isRefusedData(error)) throw error
          else await sleep(RETRY_AFTER_MS * attempt)
        }
      }
    } catch (error) {
      if (batch.length > 1 && isRefusedData(error)) {
        const middle = Math.ceil(batch.length / 2)
        await this.#writeBatch(businessId, batch.slice(0, middle))
        return await this.#writeBatch(businessId, batch.slice(middle))
      }
      this.#dropped.inc(batch.length)
      log.warn(
        { business_id: businessId, count: batch.length, problem: messageOf(error) },
        'requests were not logged',
      )
    }
  }
}

async function entriesOf(batch: readonly PendingEntry[]): Promise<NewEntry[]> {
  const entries: NewEntry[] = []
  let since = performance.now()
  for (const pending of batch) {
    if (performance.now() - since > MAX_REDACTION_MS) {
      await nextTurn()
      since = performance.now()
    }
    entries.push(entryOf(pending))
  }
  return entries
}
