import { setTimeout as delay } from 'node:timers/promises'
import { realNowMs } from '#kernel/clock'
import { Gate } from '#kernel/gate'
import type { ChargeOutcome } from '#modules/payments'
import type { Tx } from '#platform/database'
import type { BegunAttempt } from './attempt.ts'
import type { LeftLife } from './life.repository.ts'
import type { RecurringNeeds } from './needs.ts'

/** Charges at the acquirer at one time, of all batches and businesses together. */
const CHARGES_UNDER_WAY = 64
/**
 * After this, outcomes that are there are recorded while others of the batch are slow; and once all of a batch were sent,
 * it no longer waits for those: new plans have their orders within a second, whatever the acquirer does (decisions, 5).
 */
const SLOW_CHARGE_MS = 500
/** How often attempts that wait for a place are kept from the resolver, which has given their call 30 s with much room. */
const KEEP_MS = 5_000

interface AnsweredAttempt extends BegunAttempt {
  readonly outcome: ChargeOutcome['outcome']
}

/** Attempts of a batch that wait for a place among the charges under way. */
interface Unsent {
  readonly attempts: Set<BegunAttempt>
  keptAtMs: number
}

/** Sends attempts to the acquirer after they were begun, and records what it says. Made once, for all batches. */
export class ChargeAttempts {
  readonly #needs: RecurringNeeds
  readonly #charges: Gate
  readonly #keepMs: number
  readonly #left = new WeakMap<Tx, ReadonlyMap<string, LeftLife>>()

  constructor(needs: RecurringNeeds) {
    this.#needs = needs
    this.#charges = new Gate(needs.chargesUnderWay ?? CHARGES_UNDER_WAY)
    this.#keepMs = needs.keepMs ?? KEEP_MS
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
    const ready: AnsweredAttempt[] = []
    const unsent: Unsent = { attempts: new Set(attempts), keptAtMs: realNowMs() }
    const performed = Promise.allSettled(
      attempts.map((attempt) =>
        this.#charges.run(async () => {
          unsent.attempts.delete(attempt)
          if (unsent.attempts.size === 0) onAllSent()
          const outcome = await this.#needs.payments.performCharge(attempt.charge)
          ready.push({ ...attempt, outcome })
        }),
      ),
    )
    for (;;) {
      const pause = new AbortController()
      const ended = await Promise.race([
        performed,
        delay(SLOW_CHARGE_MS, undefined, { signal: pause.signal }).catch(() => undefined),
      ])
      pause.abort()
      await this.#record(businessId, ready.splice(0))
      if (ended === undefined) {
        await this.#keep(businessId, unsent)
        continue
      }
      for (const result of ended) if (result.status === 'rejected') throw result.reason
      return
    }
  }

  async #keep(businessId: string, unsent: Unsent): Promise<void> {
    const nowMs = realNowMs()
    if (unsent.attempts.size === 0 || nowMs - unsent.keptAtMs < this.#keepMs) return
    unsent.keptAtMs = nowMs
    const charges = Array.from(unsent.attempts, ({ charge }) => charge)
    await this.#needs.db.transact(businessId, (tx) => this.#needs.payments.keepCharges(tx, charges))
  }

  async #record(businessId: string, ready: readonly AnsweredAttempt[]): Promise<void> {
    if (ready.length === 0) return
    const left = new Map(
      ready.map(({ charge: { transaction, begun }, life }) => [
        transaction.orderId,
        { life, writer: begun.writer },
      ]),
    )
    await this.#needs.db.transact(businessId, (tx) => {
      this.#left.set(tx, left)
      return this.#needs.payments.recordOutcomes(
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
