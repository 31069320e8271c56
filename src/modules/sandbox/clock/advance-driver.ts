import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Instant, isAfter, realClock, toRfc3339 } from '#kernel/clock'
import type { Database, Tx } from '#platform/postgres/database'
import { withoutActor } from '#platform/request-scope'
import { type Job, rebuildSchedule, tracedRun } from '#platform/jobs/jobs'
import { whileRenewing } from '#platform/jobs/renewals'
import { successEnvelope } from '#platform/envelope'
import { storeReply } from '#platform/idempotency/idempotency'
import type { Presentation } from '../context.ts'
import { nextStep, type Step, type StepPart } from './next-step.ts'
import {
  endAdvance,
  moveFrozenClock,
  lockAdvance,
  releaseLease,
  renewLease,
  waitForOthers,
} from '../storage/repository.ts'

/** Runs in the transaction that ends an advance; `tx.now` is the moved clock. */
export type ClockMovedHandler = (tx: Tx) => Promise<void>

export interface DriverDependencies {
  readonly db: Database
  /** Jobs on the business's clock, in the order in which they run when due at the same moment. */
  readonly jobs: readonly Job[]
  readonly moved: readonly ClockMovedHandler[]
  readonly present: Presentation
  readonly log: Logger
  readonly leaseMs: number
  readonly renewMs: number
}

export type DriveResult = 'done' | 'lost' | 'stopped'

/** Backoff while a due row is leased by someone else, such as a charge at the acquirer: 5 ms, 10 ms, … 500 ms. */
const FIRST_PAUSE_MS = 5
const MAX_PAUSE_MS = 500
/** About every half minute the log says what the clock waits for. */
const IDLE_ROUNDS_PER_WARNING = 60

export class AdvanceDriver {
  readonly #deps: DriverDependencies
  readonly #businessId: string
  readonly #driverId: string
  readonly #target: Instant
  readonly #stopping: AbortSignal
  #isLost = () => false

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

  drive(): Promise<DriveResult> {
    const renewal = { everyMs: this.#deps.renewMs, renew: () => this.#renew() }
    return withoutActor(() =>
      whileRenewing(renewal, (isLost) => {
        this.#isLost = isLost
        return this.#drive()
      }),
    )
  }

  async #drive(): Promise<DriveResult> {
    let idleRounds = 0
    while (!this.#stopping.aborted && !this.#isLost()) {
      const result = await this.#moveClock().catch((error: unknown) => this.#failed(error))
      if (result === 'done' || result === 'lost') return result
      const worked = result !== 'failed' && (await this.#perform(result))
      idleRounds = worked ? 0 : idleRounds + 1
      if (!worked) await this.#pause(idleRounds, result)
    }
    if (this.#isLost()) return 'lost'
    await releaseLease(this.#deps.db.shared, this.#businessId, this.#driverId).catch(() => {})
    return 'stopped'
  }

  async #moveClock(): Promise<Step | 'done' | 'lost'> {
    return this.#deps.db.transact(this.#businessId, async (tx) => {
      const step = (await this.#nextStep(tx)) ?? (await this.#lastStep(tx))
      if (step === undefined) return this.#end(tx)
      const isLater = isAfter(step.at, tx.now)
      if (isLater && !(await moveFrozenClock(tx, this.#driverId, step.at))) return 'lost'
      return step
    })
  }

  async #nextStep(tx: Tx): Promise<Step | undefined> {
    const nextDues = await Promise.all(
      this.#deps.jobs.map(async (job) => ({
        at: await job.nextRunAt(tx),
        domain: job.domain,
        waitsForOutcomes: job.waitsForOutcomes === true,
      })),
    )
    return nextStep(nextDues, this.#target)
  }

  /** Transactions in progress may still make something due before the target, so the advance waits for them. */
  async #lastStep(tx: Tx): Promise<Step | undefined> {
    await waitForOthers(tx)
    return this.#nextStep(tx)
  }

  async #perform(step: Step): Promise<boolean> {
    for (const part of step.parts) {
      const done = await this.#run(part, step.quietUntil).catch((error: unknown) => this.#failed(error))
      if (done !== 'failed' && done > 0) return true
    }
    return false
  }

  async #run({ job: index, until }: StepPart, quietUntil: Instant): Promise<number> {
    const job = this.#deps.jobs[index]
    if (job === undefined) throw new Error('the step names an unknown job')
    const isStopping = () => this.#stopping.aborted || this.#isLost()
    const run = {
      businessId: this.#businessId,
      until,
      timeOf: (dueAt: Instant) => dueAt,
      quietUntil,
      isStopping,
    }
    return tracedRun(job, run)
  }

  async #end(tx: Tx): Promise<'done' | 'lost'> {
    const advance = await lockAdvance(tx, this.#driverId)
    if (advance === undefined) return 'lost'
    const offsetMs = this.#target.epochMilliseconds - realClock.now().epochMilliseconds
    await endAdvance(tx, offsetMs)
    // The transaction began before the frozen clock moved; its remaining statements must see the moved clock.
    const moved: Tx = {
      businessId: tx.businessId,
      now: this.#target,
      clockOffsetMs: offsetMs,
      query: (statement) => tx.query(statement),
      execute: (statement) => tx.execute(statement),
      defer: (sent) => tx.defer(sent),
    }
    for (const handler of this.#deps.moved) await handler(moved)
    await rebuildSchedule(moved, this.#deps.jobs)
    await storeReply(
      moved,
      advance.idempotencyId,
      200,
      successEnvelope(this.#deps.present.clock(this.#target)),
    )
    return 'done'
  }

  #renew(): Promise<boolean> {
    const until = realClock.now().add({ milliseconds: this.#deps.leaseMs })
    return renewLease(this.#deps.db.shared, this.#businessId, { driverId: this.#driverId, until })
  }

  async #pause(idleRounds: number, waitingFor: Step | 'failed'): Promise<void> {
    if (idleRounds % IDLE_ROUNDS_PER_WARNING === 0 && waitingFor !== 'failed') {
      const jobs = waitingFor.parts.map((part) => this.#deps.jobs[part.job]?.name)
      this.#deps.log.warn(
        { business_id: this.#businessId, jobs, due_at: toRfc3339(waitingFor.at) },
        'the clock is waiting for a job that makes no progress',
      )
    }
    const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(idleRounds - 1, 10))
    await sleep(pauseMs, undefined, { signal: this.#stopping }).catch(() => {})
  }

  #failed(error: unknown): 'failed' {
    this.#deps.log.error({ err: error, business_id: this.#businessId }, 'a step of a clock advance failed')
    return 'failed'
  }
}
