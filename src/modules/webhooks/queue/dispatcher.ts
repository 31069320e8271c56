import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Instant } from '#kernel/clock'
import { Semaphore } from '#kernel/semaphore'
import { newLease } from '#platform/jobs/leases'
import { onOwnBehalf } from '#platform/request-scope'
import {
  EndpointLimiter,
  isProcessLimit,
  type Limit,
  MAX_LIMIT,
  type Slot,
} from '../delivery/endpoint-limiter.ts'
import type { WebhooksDependencies } from '../dependencies.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  type DueReceiver,
  findDueReceivers,
} from '../storage/queue.repository.ts'
import { commitWithoutDisk, ResultWriter } from '../delivery/result-writer.ts'
import { Sender } from '../delivery/sender.ts'

/** Receivers that one statement steps through. The next scan goes on behind them. */
const SCAN_STEPS = 200
const MAX_CLAIMED = MAX_LIMIT / 2
/**
 * The deliveries of a killed process wait this long. It covers a request that is not slow and the recording of its
 * result; slow requests extend their lease.
 */
export const LEASE_MS = 6_000
/** Deliveries share the connection pool with requests. */
const MAX_TRANSACTIONS = 4
/** While the database writes none, nothing more is sent: what is lost would be sent again. */
const MAX_UNWRITTEN = 1_000
/** A claim costs two statements, so it waits for this time, or until this many slots are free, and fills them all. */
const CLAIM_DELAY_MS = 10
const SLOTS_BEFORE_CLAIM = 24
export const DRAIN_MS = 2_000

interface Scan {
  readonly afterReceiver: string
  readonly hasFound: boolean
}

interface Allocation {
  readonly counts: ReadonlyMap<string, number>
  readonly hasMoreDue: boolean
  readonly continueAt: number | undefined
}

/**
 * Sends due deliveries of all businesses in this process. It claims only what it has slots for, so it
 * withholds nothing from other processes and queues nothing in memory.
 */
export class Dispatcher {
  readonly #deps: WebhooksDependencies
  readonly #limiter = new EndpointLimiter()
  readonly #transactions = new Semaphore(MAX_TRANSACTIONS)
  readonly #results: ResultWriter
  readonly #sender: Sender
  readonly #sending = new Set<Promise<void>>()
  readonly #scans = new Map<string, Scan>()
  readonly #waitingByLimit = new Map<Limit, Set<string>>()
  readonly #claiming = new Map<string, Promise<number>>()
  readonly #scheduled = new Map<string, { readonly timer: NodeJS.Timeout; readonly atMs: number }>()
  readonly #refusedWhileBehind = new Set<string>()
  #releasedSlots = 0
  #stopping = false

  constructor(deps: WebhooksDependencies) {
    this.#deps = deps
    this.#results = new ResultWriter({
      db: deps.db,
      log: deps.log,
      transactions: this.#transactions,
      onWritten: (businessId, nowDue) => {
        if (nowDue > 0) this.scheduleClaim(businessId)
        this.#resumeRefused()
      },
    })
    this.#sender = new Sender(deps, this.#results)
  }

  scheduleClaim(businessId: string, inMs = CLAIM_DELAY_MS): void {
    if (this.#stopping) return
    const scheduled = this.#scheduled.get(businessId)
    const atMs = performance.now() + inMs
    if (scheduled !== undefined && scheduled.atMs <= atMs) return
    clearTimeout(scheduled?.timer)
    const claim = () => {
      this.#scheduled.delete(businessId)
      this.claim(businessId).catch((error: unknown) => {
        this.#deps.log.error({ err: error, business_id: businessId }, 'cannot claim deliveries')
      })
    }
    const timer = onOwnBehalf(() => setTimeout(claim, inMs))
    this.#scheduled.set(businessId, { timer, atMs })
  }

  isLimited(businessId: string): boolean {
    for (const businesses of this.#waitingByLimit.values()) if (businesses.has(businessId)) return true
    return false
  }

  async claim(businessId: string): Promise<number> {
    await this.#claiming.get(businessId)?.catch(() => {})
    if (this.#stopping) return 0
    if (this.#results.unwritten >= MAX_UNWRITTEN) {
      this.#refusedWhileBehind.add(businessId)
      return 0
    }
    const next = this.#claiming.get(businessId)
    if (next !== undefined) return next
    const claiming = this.#transactions.run(() => this.#claim(businessId))
    this.#claiming.set(businessId, claiming)
    try {
      return await claiming
    } finally {
      this.#claiming.delete(businessId)
    }
  }

  #resumeRefused(): void {
    if (this.#results.unwritten >= MAX_UNWRITTEN) return
    for (const businessId of this.#refusedWhileBehind) this.scheduleClaim(businessId, 0)
    this.#refusedWhileBehind.clear()
  }

  async #claim(businessId: string): Promise<number> {
    this.#clearLimits(businessId)
    const scan = this.#scans.get(businessId) ?? { afterReceiver: '', hasFound: false }
    const slots: Slot[] = []
    try {
      const claim = await this.#deps.db.transact(businessId, async (tx) => {
        // The database may rerun the transaction.
        this.#releaseAll(slots.splice(0))
        const lease = newLease(LEASE_MS)
        // Reads one delivery more than is allowed: if there is one, deliveries are waiting for a slot.
        const max = { perReceiver: MAX_LIMIT + 1, total: 2 * MAX_CLAIMED }
        const steps = { afterReceiver: scan.afterReceiver, steps: SCAN_STEPS, max }
        const [, { receivers, next }] = await Promise.all([
          commitWithoutDisk(tx),
          findDueReceivers(tx, steps, lease.from),
        ])
        const { counts, continueAt, hasMoreDue } = this.#allocate(businessId, receivers, slots)
        const claimed = counts.size === 0 ? [] : await claimDeliveries(tx, counts, lease)
        const continueAfter =
          continueAt === undefined ? next : (receivers[continueAt - 1]?.receiver ?? scan.afterReceiver)
        return { claimed, hasMoreDue, next: continueAfter, leaseId: lease.id, at: tx.now }
      })
      this.#continueScan(businessId, scan, claim)
      this.#send(businessId, claim, slots.splice(0))
      return claim.claimed.length
    } catch (error) {
      this.#releaseAll(slots)
      throw error
    }
  }

  /**
   * A scan that found deliveries starts again after the last receiver. One that found none ends: a released slot or
   * the job of the business starts the next.
   */
  #continueScan(
    businessId: string,
    scan: Scan,
    claim: { claimed: readonly unknown[]; hasMoreDue: boolean; next: string | null },
  ): void {
    const hasFound = scan.hasFound || claim.claimed.length > 0
    const isOver = claim.next === null || claim.next === ''
    if (isOver) this.#scans.delete(businessId)
    else this.#scans.set(businessId, { afterReceiver: claim.next ?? '', hasFound })
    const tookSeveralClaims = scan.afterReceiver !== '' && hasFound
    if (!isOver || tookSeveralClaims || claim.hasMoreDue || claim.claimed.length >= MAX_CLAIMED) {
      // Without slots, the next release schedules the claim. With slots, the next claim is made while this one is sent.
      if (!this.#hasReachedProcessLimit(businessId)) {
        this.scheduleClaim(businessId, claim.claimed.length > 0 ? 0 : CLAIM_DELAY_MS)
      }
    }
  }

  #allocate(businessId: string, receivers: readonly DueReceiver[], slots: Slot[]): Allocation {
    const counts = new Map<string, number>()
    let hasMoreDue = false
    let open = receivers.map((due, index) => ({ ...due, index }))
    for (let round = 1; open.length > 0; round++) {
      const share = Math.max(1, Math.floor((MAX_CLAIMED - slots.length) / open.length))
      const stillOpen: typeof open = []
      for (const { receiver, count, hasMore, index } of open) {
        const stopped = { counts, hasMoreDue, continueAt: round === 1 ? index : undefined }
        const requested = Math.min(count, share, MAX_CLAIMED - slots.length)
        if (requested === 0) return stopped
        const { slots: acquired, reached } = this.#limiter.acquire(receiver, requested)
        slots.push(...acquired)
        if (acquired.length > 0) counts.set(receiver, (counts.get(receiver) ?? 0) + acquired.length)
        if (reached !== undefined) this.#addLimited(reached, businessId)
        else if (requested < count) stillOpen.push({ receiver, count: count - requested, hasMore, index })
        else hasMoreDue ||= hasMore
        if (isProcessLimit(reached)) return stopped
      }
      open = stillOpen
    }
    return { counts, hasMoreDue, continueAt: undefined }
  }

  #hasReachedProcessLimit(businessId: string): boolean {
    return [...this.#waitingByLimit].some(
      ([limit, businesses]) => isProcessLimit(limit) && businesses.has(businessId),
    )
  }

  #clearLimits(businessId: string): void {
    for (const [limit, businesses] of this.#waitingByLimit) {
      businesses.delete(businessId)
      if (businesses.size === 0) this.#waitingByLimit.delete(limit)
    }
  }

  #addLimited(limit: Limit, businessId: string): void {
    const businesses = this.#waitingByLimit.get(limit)
    if (businesses === undefined) this.#waitingByLimit.set(limit, new Set([businessId]))
    else businesses.add(businessId)
  }

  #send(
    businessId: string,
    claim: { claimed: readonly ClaimedDelivery[]; leaseId: string; at: Instant },
    slots: readonly Slot[],
  ): void {
    const unused = Map.groupBy(slots, ({ receiver }) => receiver)
    for (const delivery of claim.claimed) {
      const slot = unused.get(delivery.receiver)?.pop()
      if (slot === undefined) throw new Error('a delivery was claimed without a slot')
      const sending = this.#sender
        .send(businessId, delivery, {
          leaseId: claim.leaseId,
          at: claim.at,
          onSlow: () => this.#wake(this.#limiter.markSlow(slot)),
        })
        .then((durationMs) => this.#wake(this.#limiter.release(slot, durationMs)))
        .finally(() => this.#sending.delete(sending))
      this.#sending.add(sending)
    }
    this.#releaseAll([...unused.values()].flat())
  }

  #releaseAll(slots: readonly Slot[]): void {
    for (const slot of slots) this.#wake(this.#limiter.release(slot, undefined))
  }

  #wake(limits: readonly Limit[]): void {
    this.#releasedSlots++
    for (const limit of limits) {
      const businesses = this.#waitingByLimit.get(limit)
      const [first] = businesses ?? []
      if (businesses === undefined || first === undefined) continue
      const isEnough = this.#releasedSlots >= SLOTS_BEFORE_CLAIM
      if (isEnough) this.#releasedSlots = 0
      businesses.delete(first)
      this.scheduleClaim(first, isEnough ? 0 : CLAIM_DELAY_MS)
    }
  }

  /** Aborts the requests that still run after `DRAIN_MS`. Their deliveries are due again at once. */
  async stop(): Promise<void> {
    this.#stopping = true
    await Promise.allSettled(this.#claiming.values())
    await Promise.race([Promise.all(this.#sending), sleep(DRAIN_MS, undefined, { ref: false })])
    this.#sender.abort()
    await Promise.all(this.#sending)
    await this.#results.flush()
  }
}
