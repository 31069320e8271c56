import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Instant, isAfter, realClock, toRfc3339 } from '#kernel/clock'
import type { Database, Tx } from '#platform/postgres/database'
import { type Job, rebuildSchedule } from '#platform/jobs/jobs'
import { successEnvelope } from '#platform/http/routes/envelope'
import { keepAnswer } from '#platform/idempotency/idempotency'
import { nextStep, type Step, type StepPart } from './next-step.ts'
import {
  endAdvance,
  freezeAt,
  type Lease,
  lockAdvance,
  releaseLease,
  renewLease,
  waitForOthers,
} from '../storage/repository.ts'

/** Told in the transaction that ends an advance; `tx.now` is the moved clock. */
export type ClockMoved = (tx: Tx) => Promise<void>

export interface DriverDependencies {
  readonly db: Database
  /** On the business's clock, in the order in which kinds that are due at the same moment are done. */
  readonly jobs: readonly Job[]
  readonly moved: readonly ClockMoved[]
  readonly log: Logger
  readonly leaseMs: number
  readonly renewMs: number
}

/** `lost`: another driver has taken over. `stopped`: the process is ending, and another driver may. */
export type DriveResult = 'done' | 'lost' | 'stopped'

/** What is due but held by someone else, such as a charge under way, is looked at again after 5 ms, 10 ms … 500 ms. */
const FIRST_PAUSE_MS = 5
const MAX_PAUSE_MS = 500
/** After so many fruitless looks, about every half minute, the log says what the clock waits for. */
const LOOKS_UNTIL_WARNING = 60

/** Drives one advance of one business to its target. */
export class AdvanceDriver {
  readonly #deps: DriverDependencies
  readonly #businessId: string
  readonly #driverId: string
  readonly #target: Instant
  readonly #stopping: AbortSignal
  #lost = false

  constructor(
    deps: DriverDependencies,
    advance: { businessId: string; driverId: string; target: Instant; stopping: AbortSignal },
  ) {
    this.#deps = deps
    this.#businessId = advance.businessId
    this.#driverId = advance.driverId
    this.#target = advance.target
    this.#stopping = advance.stopping
  }

  async drive(): Promise<DriveResult> {
    const renewing = setInterval(() => void this.#renew(), this.#deps.renewMs)
    try {
      let fruitless = 0
      while (!this.#stopping.aborted && !this.#lost) {
        const result = await this.#look().catch((error: unknown) => this.#failed(error))
        if (result === 'done' || result === 'lost') return result
        const worked = result !== 'failed' && (await this.#perform(result))
        fruitless = worked ? 0 : fruitless + 1
        if (!worked) await this.#pause(fruitless, result)
      }
      if (this.#lost) return 'lost'
      await releaseLease(this.#deps.db.shared, this.#businessId, this.#driverId).catch(() => {})
      return 'stopped'
    } finally {
      clearInterval(renewing)
    }
  }

  /** Finds what is due next and stops the clock there; ends the advance when nothing is. One transaction. */
  async #look(): Promise<Step | 'done' | 'lost'> {
    return this.#deps.db.transact(this.#businessId, async (tx) => {
      const step = (await this.#nextStep(tx)) ?? (await this.#lastStep(tx))
      if (step === undefined) return this.#end(tx)
      const isLater = isAfter(step.at, tx.now)
      if (isLater && !(await freezeAt(tx, this.#driverId, step.at))) return 'lost'
      return step
    })
  }

  async #nextStep(tx: Tx): Promise<Step | undefined> {
    const dues = await Promise.all(
      this.#deps.jobs.map(async (work) => ({ at: await work.nextRunAt(tx), of: work.domain })),
    )
    return nextStep(dues, this.#target)
  }

  /** What callers who have begun by now make due belongs to the advance: it ends after they have. */
  async #lastStep(tx: Tx): Promise<Step | undefined> {
    await waitForOthers(tx)
    return this.#nextStep(tx)
  }

  /** Whether anything was done. Kinds that are due at the same moment stand in for one that is held up. */
  async #perform(step: Step): Promise<boolean> {
    for (const part of step.parts) {
      const done = await this.#run(part).catch((error: unknown) => this.#failed(error))
      if (done !== 'failed' && done > 0) return true
    }
    return false
  }

  async #run({ kind, until }: StepPart): Promise<number> {
    const work = this.#deps.jobs[kind]
    if (work === undefined) throw new Error('a kind of work was lost')
    const isStopping = () => this.#stopping.aborted || this.#lost
    return work.run({ businessId: this.#businessId, until, timeOf: (dueAt) => dueAt, isStopping })
  }

  async #end(tx: Tx): Promise<'done' | 'lost'> {
    const advance = await lockAdvance(tx, this.#driverId)
    if (advance === undefined) return 'lost'
    const offsetMs = this.#target.epochMilliseconds - realClock.now().epochMilliseconds
    await endAdvance(tx, offsetMs)
    // This transaction began on the standing clock; what it does from here on is on the moved one.
    const moved: Tx = {
      businessId: tx.businessId,
      now: this.#target,
      clockOffsetMs: offsetMs,
      query: (statement) => tx.query(statement),
      execute: (statement) => tx.execute(statement),
      defer: (sent) => tx.defer(sent),
    }
    for (const tell of this.#deps.moved) await tell(moved)
    await rebuildSchedule(moved, this.#deps.jobs)
    await keepAnswer(moved, advance.idempotencyId, 200, successEnvelope(renderClock(this.#target)))
    return 'done'
  }

  async #renew(): Promise<void> {
    const lease: Lease = {
      driverId: this.#driverId,
      until: realClock.now().add({ milliseconds: this.#deps.leaseMs }),
    }
    // When the database cannot be reached the lease runs out, and whoever reaches it first goes on.
    const isOurs = await renewLease(this.#deps.db.shared, this.#businessId, lease).catch(() => true)
    if (!isOurs) this.#lost = true
  }

  async #pause(fruitless: number, waitingFor: Step | 'failed'): Promise<void> {
    if (fruitless % LOOKS_UNTIL_WARNING === 0 && waitingFor !== 'failed') {
      const kinds = waitingFor.parts.map((part) => this.#deps.jobs[part.kind]?.name)
      this.#deps.log.warn(
        { business_id: this.#businessId, kinds, due_at: toRfc3339(waitingFor.at) },
        'the clock waits for work that cannot be done',
      )
    }
    const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(fruitless - 1, 10))
    await sleep(pauseMs, undefined, { signal: this.#stopping }).catch(() => {})
  }

  #failed(error: unknown): 'failed' {
    this.#deps.log.error({ err: error, business_id: this.#businessId }, 'a step of a moved clock failed')
    return 'failed'
  }
}

/** The clock as answers show it. */
export function renderClock(now: Instant): { clock: { now: string } } {
  return { clock: { now: toRfc3339(now) } }
}
