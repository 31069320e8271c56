import { setTimeout as sleep } from 'node:timers/promises'
import { type Instant, instantOf, isAfter, realClock } from '#kernel/clock'
import { errorOf } from '#kernel/errors'
import { newId } from '#kernel/ids'
import { timeOn } from '#platform/postgres/tenant-session'
import type { Caller } from '#platform/caller'
import { type Job, scheduleJob } from '#platform/jobs/jobs'
import { RENEWALS_PER_LEASE } from '#platform/jobs/renewals'
import { inBackground } from '#platform/request-scope'
import { platformErrors } from '#platform/errors'
import { claimIdempotencyKey } from '#platform/idempotency/idempotency'
import {
  AdvanceDriver,
  type ClockMovedHandler,
  type DriveResult,
  type DriverDependencies,
} from './advance-driver.ts'
import { refuseTarget } from './decide-target.ts'
import { type AdvanceRequest, readTarget } from './read-target.ts'
import { CLOCK_ADVANCE } from '../job-names.ts'
import { errors } from '../errors.ts'
import type { ClockContext } from '../context.ts'
import { startAdvance, claimAdvance, type Lease, readClock, nextTakeOver } from '../storage/repository.ts'

/** A crashed driver is replaced within 5 s, and a process that pauses for a moment keeps its lease. */
const LEASE_MS = 4_000
const RENEW_MS = LEASE_MS / RENEWALS_PER_LEASE
const POLL_MS = 100

export interface DueJob {
  readonly work: string
  readonly at: Instant
}

export class SandboxClock {
  readonly #deps: ClockContext
  readonly #driverDependencies: DriverDependencies
  readonly #moved: ClockMovedHandler[] = []
  readonly #stopping = new AbortController()
  readonly #driving = new Set<Promise<DriveResult>>()

  constructor(deps: ClockContext) {
    this.#deps = deps
    this.#driverDependencies = {
      db: deps.db,
      jobs: deps.jobs.filter((job) => job.clock === 'business'),
      moved: this.#moved,
      present: deps.present,
      log: deps.log,
      leaseMs: deps.leaseMs ?? LEASE_MS,
      renewMs: deps.renewMs ?? RENEW_MS,
    }
  }

  onMoved(callback: ClockMovedHandler): void {
    this.#moved.push(callback)
  }

  async read(caller: Caller): Promise<Instant> {
    return timeOn(await readClock(this.#deps.db.shared, caller.businessId))
  }

  async due(caller: Caller, { to }: { to: string }): Promise<DueJob[]> {
    const until = instantOf(to)
    return this.#deps.db.transact(caller.businessId, async (tx) => {
      const due: DueJob[] = []
      for (const job of this.#driverDependencies.jobs) {
        const at = await job.nextRunAt(tx)
        if (at !== null && !isAfter(at, until)) due.push({ work: job.name, at })
      }
      return due.toSorted((one, other) => Temporal.Instant.compare(one.at, other.at))
    })
  }

  /**
   * Resolves once everything due up to the target has happened; the advance continues if the caller disconnects. Throws 409
   * while another advance runs, 422 for a target in the past or too far ahead.
   */
  async advance(caller: Caller, request: AdvanceRequest): Promise<Instant> {
    const { businessId } = caller
    const { timeZone } = await this.#deps.businesses.profile(businessId)
    const lease = this.#newLease()
    const target = await this.#deps.db.transact(businessId, async (tx) => {
      const idempotencyId = await claimIdempotencyKey(tx, caller)
      if (tx.clockOffsetMs === undefined) throw errors.clock_advancing()
      const wanted = readTarget(request, tx.now, timeZone)
      const refused = refuseTarget(wanted, tx.now, timeZone)
      if (refused !== null)
        throw errorOf(errors, { ...refused, param: request.to === undefined ? 'by' : 'to' })
      if (!(await startAdvance(tx, { target: wanted, lease, idempotencyId }))) throw errors.clock_advancing()
      await scheduleJob(tx, CLOCK_ADVANCE, lease.until, 'real')
      return wanted
    })
    await inBackground(() => this.#follow(businessId, lease, target))
    return target
  }

  async #follow(businessId: string, lease: Lease, target: Instant): Promise<void> {
    const result = await this.#drive(businessId, lease.driverId, target)
    if (result === 'done') return
    while (!this.#stopping.signal.aborted) {
      // A busy database may refuse this look. The advance goes on without it, so its caller waits for the next.
      const clock = await readClock(this.#deps.db.shared, businessId).catch(() => undefined)
      if (clock !== undefined && clock.advance_to?.equals(target) !== true) return
      await sleep(POLL_MS)
    }
    throw platformErrors.unavailable({
      message: 'The service is shutting down. The clock continues to advance after the next start.',
      retryAfterSeconds: 5,
    })
  }

  /** Takes over an advance whose driver has died. An advance may take long, so the run is detached and frees its slot. */
  readonly job: Job = {
    name: CLOCK_ADVANCE,
    clock: 'real',
    nextRunAt: nextTakeOver,
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
