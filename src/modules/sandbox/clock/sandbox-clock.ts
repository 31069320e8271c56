import { setTimeout as sleep } from 'node:timers/promises'
import { type Instant, realClock } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { timeOn } from '#platform/postgres/business-clock'
import type { Caller } from '#platform/caller'
import { type Job, scheduleJob } from '#platform/jobs/jobs'
import { platformErrors } from '#platform/errors'
import { claimIdempotencyKey } from '#platform/idempotency/idempotency'
import {
  AdvanceDriver,
  type ClockMoved,
  type DriveResult,
  type DriverDependencies,
  renderClock,
} from './advance-driver.ts'
import { type AdvanceRequest, decideTarget } from './advance-target.ts'
import { CLOCK_ADVANCE } from '../job-kinds.ts'
import { errors } from '../api/errors.ts'
import type { SandboxDependencies } from '../dependencies.ts'
import { beginAdvance, claimAdvance, type Lease, readClock, takeOverAt } from '../storage/repository.ts'

/** Short enough that a crashed driver is replaced within 5 s, long enough for a process that stands still for a moment. */
const LEASE_MS = 4_000
const RENEW_MS = 1_000
const LOOK_AGAIN_MS = 100

/** The clock of a test environment (decisions, section 9). */
export class SandboxClock {
  readonly #deps: SandboxDependencies
  readonly #driverDependencies: DriverDependencies
  readonly #moved: ClockMoved[] = []
  readonly #stopping = new AbortController()
  readonly #driving = new Set<Promise<DriveResult>>()

  constructor(deps: SandboxDependencies) {
    this.#deps = deps
    this.#driverDependencies = {
      db: deps.db,
      jobs: deps.jobs.filter((work) => work.clock === 'business'),
      moved: this.#moved,
      log: deps.log,
      leaseMs: deps.leaseMs ?? LEASE_MS,
      renewMs: deps.renewMs ?? RENEW_MS,
    }
  }

  /** Registers what is to be done, in the same transaction, when a clock has arrived at its target. */
  onMoved(callback: ClockMoved): void {
    this.#moved.push(callback)
  }

  /** What the business's clock shows; while it is being advanced, where it stands. */
  async read(caller: Caller): Promise<{ clock: { now: string } }> {
    const clock = await readClock(this.#deps.db.shared, caller.businessId)
    return renderClock(timeOn(clock))
  }

  /**
   * Moves the clock and answers once everything that is due until then has happened. It goes on when the
   * caller leaves. Throws 409 while it is being advanced, 422 for a target in the past or too far.
   */
  async advance(caller: Caller, request: AdvanceRequest): Promise<{ clock: { now: string } }> {
    const { businessId } = caller
    const { timeZone } = await this.#deps.businesses.profile(businessId)
    const lease = this.#newLease()
    const target = await this.#deps.db.transact(businessId, async (tx) => {
      const idempotencyId = await claimIdempotencyKey(tx, caller)
      if (tx.clockOffsetMs === undefined) throw errors.clock_advancing()
      const decided = decideTarget(request, tx.now, timeZone)
      if (!(await beginAdvance(tx, { target: decided, lease, idempotencyId }))) throw errors.clock_advancing()
      await scheduleJob(tx, CLOCK_ADVANCE, lease.until, 'real')
      return decided
    })
    await this.#follow(businessId, lease, target)
    return renderClock(target)
  }

  async #follow(businessId: string, lease: Lease, target: Instant): Promise<void> {
    const result = await this.#drive(businessId, lease.driverId, target)
    if (result === 'done') return
    // Another process goes on; this one waits for it, since its caller still does.
    while (!this.#stopping.signal.aborted) {
      const clock = await readClock(this.#deps.db.shared, businessId)
      if (clock.advance_to === null || !clock.advance_to.equals(target)) return
      await sleep(LOOK_AGAIN_MS)
    }
    throw platformErrors.unavailable({
      message: 'The service is being stopped; the clock goes on when it is started again.',
      retryAfterSeconds: 5,
    })
  }

  /** Takes over an advance whose driver is gone. It may take long, so it keeps no place from other work that is due. */
  readonly jobs: Job = {
    name: CLOCK_ADVANCE,
    clock: 'real',
    nextRunAt: takeOverAt,
    run: async ({ businessId, detach }) => {
      const lease = this.#newLease()
      const target = await claimAdvance(this.#deps.db.shared, businessId, lease)
      if (target === undefined) return 0
      const driving = this.#drive(businessId, lease.driverId, target)
      if (detach === undefined) return (await driving) === 'done' ? 1 : 0
      detach(driving.then(() => undefined))
      return 1
    },
  }

  /** Lets the step under way finish, and leaves the rest to the next process. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.allSettled(this.#driving)
  }

  async #drive(businessId: string, driverId: string, target: Instant): Promise<DriveResult> {
    const stopping = this.#stopping.signal
    const driving = new AdvanceDriver(this.#driverDependencies, {
      businessId,
      driverId,
      target,
      stopping,
    }).drive()
    this.#driving.add(driving)
    try {
      return await driving
    } finally {
      this.#driving.delete(driving)
    }
  }

  #newLease(): Lease {
    return {
      driverId: newId('drv'),
      until: realClock.now().add({ milliseconds: this.#driverDependencies.leaseMs }),
    }
  }
}
