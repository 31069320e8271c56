import { setTimeout as delay } from 'node:timers/promises'
import { realNowMs } from '#kernel/clock'
import { Semaphore } from '#kernel/semaphore'
import type { AcquirerResult, Charge } from '#modules/payments'
import { whileRenewing } from '#platform/jobs/renewals'
import { isUnreachable } from '#platform/postgres/database-errors'
import type { BillingContext } from '../context.ts'

/** Charges at the acquirer at one time, over all batches and businesses. */
const MAX_CONCURRENT_CHARGES = 64
/**
 * After this time the outcomes that have arrived are recorded. After the same time from its last call, a batch stops waiting
 * for slow charges, so that new plans get their orders within a second whatever the acquirer does.
 */
const SLOW_CHARGE_MS = 500
/** How often queued charges renew their lease of 30 s. Without a lease the resolver would treat their calls as lost. */
export const LEASE_RENEWAL_MS = 5_000
/** How long outcomes wait for an unreachable database. Afterwards the resolver inquires about them. */
export const MAX_UNREACHABLE_MS = 10_000

interface PerformedCharge {
  readonly charge: Charge
  readonly outcome: AcquirerResult
}

interface Batch {
  readonly businessId: string
  readonly queued: Set<Charge>
  readonly performed: PerformedCharge[]
  unreachableSinceMs: number | null
  readonly failures: unknown[]
  /** Charges that are being performed. A fallback of a declined one joins them. */
  readonly performing: Set<Promise<void>>
}

export class AttemptPerformer {
  readonly #ctx: BillingContext
  readonly #places: Semaphore
  readonly #leaseRenewalMs: number

  constructor(ctx: BillingContext) {
    this.#ctx = ctx
    this.#places = new Semaphore(ctx.maxConcurrentCharges ?? MAX_CONCURRENT_CHARGES)
    this.#leaseRenewalMs = ctx.leaseRenewalMs ?? LEASE_RENEWAL_MS
  }

  /**
   * Waits until all outcomes are recorded; if some charges are slow, only until all were sent.
   * @returns for slow charges, a promise of their records
   */
  async perform(
    businessId: string,
    charges: readonly Charge[],
  ): Promise<{ readonly recorded: Promise<void> } | undefined> {
    if (charges.length === 0) return undefined
    const allSent = Promise.withResolvers<void>()
    const recorded = this.#performAndRecord(businessId, charges, allSent.resolve)
    const timer = new AbortController()
    const timeout = allSent.promise.then(() => delay(SLOW_CHARGE_MS, 'slow', { signal: timer.signal }))
    const isSlow = (await Promise.race([recorded, timeout])) === 'slow'
    timer.abort()
    return isSlow ? { recorded } : undefined
  }

  async #performAndRecord(
    businessId: string,
    charges: readonly Charge[],
    onAllSent: () => void,
  ): Promise<void> {
    const batch: Batch = {
      businessId,
      queued: new Set(charges),
      performed: [],
      unreachableSinceMs: null,
      failures: [],
      performing: new Set(),
    }
    for (const charge of charges) this.#start(batch, charge, onAllSent)
    const renewal = { everyMs: this.#leaseRenewalMs, renew: () => this.#renewLeases(batch) }
    await whileRenewing(renewal, () => this.#recordAll(batch))
    if (batch.failures.length > 0) throw batch.failures[0]
  }

  async #recordAll(batch: Batch): Promise<void> {
    while (batch.performing.size > 0 || batch.performed.length > 0) {
      // After the last charge, only outcomes that could not be recorded are left. They are tried again a moment later.
      if (batch.performing.size > 0) await endsSoon(Promise.all(batch.performing))
      else if (batch.unreachableSinceMs !== null) await delay(SLOW_CHARGE_MS)
      await this.#recordOutcomes(batch)
    }
  }

  #start(batch: Batch, charge: Charge, onAllSent: () => void): void {
    const performing = this.#performOne(batch, charge, onAllSent)
      .catch((error: unknown) => void batch.failures.push(error))
      .finally(() => batch.performing.delete(performing))
    batch.performing.add(performing)
  }

  #performOne(batch: Batch, charge: Charge, onAllSent: () => void): Promise<void> {
    return this.#places.run(async () => {
      batch.queued.delete(charge)
      if (batch.queued.size === 0) onAllSent()
      const outcome = await this.#ctx.payments.performCharge(charge)
      batch.performed.push({ charge, outcome })
    })
  }

  /** If no renewal succeeds, the resolver abandons queued attempts, and dunning makes them again. */
  async #renewLeases({ businessId, queued }: Batch): Promise<boolean> {
    if (queued.size > 0) {
      await this.#ctx.db.transact(businessId, (tx) => this.#ctx.payments.extendChargeLeases(tx, [...queued]))
    }
    return true
  }

  /**
   * Records the outcomes that have arrived. They wait for an unreachable database. After any other error each is recorded by
   * itself, so that one bad outcome does not hold up the others; the resolver takes care of that one.
   */
  async #recordOutcomes(batch: Batch): Promise<void> {
    const { failures } = batch
    const performed = batch.performed.splice(0)
    try {
      await this.#record(batch, performed)
      batch.unreachableSinceMs = null
    } catch (error) {
      const sinceMs = batch.unreachableSinceMs ?? realNowMs()
      const mayWait = isUnreachable(error) && realNowMs() - sinceMs < MAX_UNREACHABLE_MS
      batch.unreachableSinceMs = mayWait ? sinceMs : null
      if (mayWait) return void batch.performed.push(...performed)
      const singly = await Promise.allSettled(performed.map((one) => this.#record(batch, [one])))
      failures.push(...singly.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : [])))
    }
  }

  async #record(batch: Batch, performed: readonly PerformedCharge[]): Promise<void> {
    if (performed.length === 0) return
    const recorded = await this.#ctx.db.transact(batch.businessId, (tx) =>
      this.#ctx.payments.recordOutcomes(
        tx,
        performed.map(({ charge, outcome }) => ({
          charge,
          outcome,
          // While a clock is being advanced, an outcome has the time at which its attempt was due.
          at: tx.clockOffsetMs === undefined ? charge.at : tx.now,
        })),
      ),
    )
    for (const { fallback } of recorded) if (fallback !== null) this.#start(batch, fallback, () => {})
  }
}

async function endsSoon(performing: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController()
  const timeout = delay(SLOW_CHARGE_MS, false, { signal: timer.signal }).catch(() => false)
  const isDone = await Promise.race([performing.then(() => true), timeout])
  timer.abort()
  return isDone
}
