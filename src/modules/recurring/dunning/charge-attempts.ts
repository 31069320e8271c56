import { setTimeout as delay } from 'node:timers/promises'
import { realNowMs } from '#kernel/clock'
import { Semaphore } from '#kernel/semaphore'
import type { ChargeOutcome } from '#modules/payments'
import type { Tx } from '#platform/postgres/database'
import { isUnreachable } from '#platform/postgres/unreachable'
import type { BegunAttempt } from './attempt.ts'
import type { LeftLife } from '../storage/life.repository.ts'
import type { RecurringDependencies } from '../dependencies.ts'

/** Charges at the acquirer at one time, of all batches and businesses together. */
const CHARGES_UNDER_WAY = 64
/**
 * After this, outcomes that are there are recorded while others of the batch are slow; and once all of a batch were sent,
 * it no longer waits for those: new plans have their orders within a second, whatever the acquirer does (decisions, 5).
 */
const SLOW_CHARGE_MS = 500
/** How often attempts that wait for a place are kept from the resolver, which has given their call 30 s with much room. */
const KEEP_MS = 5_000
/** How long outcomes wait for a database that cannot be reached. After that the resolver finds them out. */
const UNREACHABLE_MS = 10_000

interface AnsweredAttempt extends BegunAttempt {
  readonly outcome: ChargeOutcome['outcome']
}

/** A batch on its way. */
interface Batch {
  readonly businessId: string
  /** Attempts that wait for a place among the charges under way. */
  readonly unsent: Set<BegunAttempt>
  keptAtMs: number
  /** Attempts whose outcomes are there and not recorded yet. */
  readonly answered: AnsweredAttempt[]
  /** Since when the database cannot be reached, or null. */
  unreachableSinceMs: number | null
  /** Why outcomes could not be recorded. */
  readonly failures: unknown[]
}

/** Sends attempts to the acquirer after they were begun, and records what it says. Made once, for all batches. */
export class ChargeAttempts {
  readonly #deps: RecurringDependencies
  readonly #charges: Semaphore
  readonly #keepMs: number
  readonly #left = new WeakMap<Tx, ReadonlyMap<string, LeftLife>>()

  constructor(deps: RecurringDependencies) {
    this.#deps = deps
    this.#charges = new Semaphore(deps.chargesUnderWay ?? CHARGES_UNDER_WAY)
    this.#keepMs = deps.keepMs ?? KEEP_MS
  }

  /** Of a transaction that records attempts of due work: the lives as their beginnings left them, by order. */
  livesLeft(tx: Tx): ReadonlyMap<string, LeftLife> | undefined {
    return this.#left.get(tx)
  }

  /**
   * Has attempts made, and waits for their outcomes; where some are slow, only until all were sent.
   * @returns of those that are slow: when all are recorded
   */
  async make(
    businessId: string,
    attempts: readonly BegunAttempt[],
  ): Promise<{ readonly recorded: Promise<void> } | undefined> {
    if (attempts.length === 0) return undefined
    const allSent = Promise.withResolvers<void>()
    const recorded = this.#sendAndRecord(businessId, attempts, allSent.resolve)
    const pause = new AbortController()
    const patience = allSent.promise.then(() => delay(SLOW_CHARGE_MS, 'slow', { signal: pause.signal }))
    const isSlow = (await Promise.race([recorded, patience])) === 'slow'
    pause.abort()
    return isSlow ? { recorded } : undefined
  }

  /** Sends attempts to the acquirer and records what it says; the reaction to that changes the plans. */
  async #sendAndRecord(
    businessId: string,
    attempts: readonly BegunAttempt[],
    onAllSent: () => void,
  ): Promise<void> {
    const batch: Batch = {
      businessId,
      unsent: new Set(attempts),
      keptAtMs: realNowMs(),
      answered: [],
      unreachableSinceMs: null,
      failures: [],
    }
    const performed = Promise.all(
      attempts.map((attempt) =>
        this.#perform(batch, attempt, onAllSent).catch((error: unknown) => batch.failures.push(error)),
      ),
    )
    let isPerformed = false
    while (!isPerformed || batch.answered.length > 0) {
      // Those that are left then could not be recorded a moment ago.
      isPerformed = isPerformed ? await delay(SLOW_CHARGE_MS, true) : await endsSoon(performed)
      await this.#recordAnswered(batch)
      await this.#keep(batch)
    }
    if (batch.failures.length > 0) throw batch.failures[0]
  }

  #perform(batch: Batch, attempt: BegunAttempt, onAllSent: () => void): Promise<void> {
    return this.#charges.run(async () => {
      batch.unsent.delete(attempt)
      if (batch.unsent.size === 0) onAllSent()
      const outcome = await this.#deps.payments.performCharge(attempt.charge)
      batch.answered.push({ ...attempt, outcome })
    })
  }

  async #keep(batch: Batch): Promise<void> {
    const nowMs = realNowMs()
    if (batch.unsent.size === 0 || nowMs - batch.keptAtMs < this.#keepMs) return
    const charges = Array.from(batch.unsent, ({ charge }) => charge)
    try {
      await this.#deps.db.transact(batch.businessId, (tx) =>
        this.#deps.payments.extendChargeLeases(tx, charges),
      )
      batch.keptAtMs = nowMs
    } catch {
      // It is tried again. At worst the resolver takes what waits for lost, and such attempts are made again.
    }
  }

  /**
   * Records what is there. For a database that cannot be reached it waits for a while; else each is tried by itself, so
   * that one that cannot be recorded keeps no other from it. That one is left to the resolver.
   */
  async #recordAnswered(batch: Batch): Promise<void> {
    const { businessId, failures } = batch
    const answered = batch.answered.splice(0)
    try {
      await this.#record(businessId, answered)
      batch.unreachableSinceMs = null
    } catch (error) {
      const sinceMs = batch.unreachableSinceMs ?? realNowMs()
      const mayWait = isUnreachable(error) && realNowMs() - sinceMs < UNREACHABLE_MS
      batch.unreachableSinceMs = mayWait ? sinceMs : null
      if (mayWait) return void batch.answered.push(...answered)
      const single = await Promise.allSettled(answered.map((one) => this.#record(businessId, [one])))
      failures.push(...single.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : [])))
    }
  }

  async #record(businessId: string, ready: readonly AnsweredAttempt[]): Promise<void> {
    if (ready.length === 0) return
    const left = new Map(
      ready.map(({ charge: { transaction, begun }, life }) => [
        transaction.orderId,
        { life, writer: begun.writer },
      ]),
    )
    await this.#deps.db.transact(businessId, (tx) => {
      this.#left.set(tx, left)
      return this.#deps.payments.recordOutcomes(
        tx,
        ready.map(({ charge, outcome }) => ({
          charge,
          outcome,
          // While the clock is advanced everything happens at its own due time, else when it happens.
          at: tx.clockOffsetMs === undefined ? charge.at : tx.now,
        })),
      )
    })
  }
}

/** Waits for charges, as long as one that is slow takes; answers whether they have ended. */
async function endsSoon(performed: Promise<unknown>): Promise<boolean> {
  const pause = new AbortController()
  const late = delay(SLOW_CHARGE_MS, false, { signal: pause.signal }).catch(() => false)
  const isEnded = await Promise.race([performed.then(() => true), late])
  pause.abort()
  return isEnded
}
