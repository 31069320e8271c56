import type { Logger } from 'pino'
import sql, { type Sql } from 'sql-template-tag'
import { earliestOf, type Instant, isAfter, realClock, toRfc3339 } from '#kernel/clock'
import { type ClockRow, timeOn } from '#platform/postgres/tenant-session'
import { tracedFromHere } from '#platform/observability/tracing'
import { type Database, MAX_TRANSACTION_MS, type Tx } from '#platform/postgres/database'

/**
 * Scheduled work: plans to bill, attempts to retry, orders to void, holds to expire. There is no queue. The modules'
 * own tables say what is due, and the table `next_runs` says for each tenant and job when to look there.
 * - `name`: Stored in `next_runs`.
 * - `domain`: Jobs of different domains share no rows, so they run side by side while a clock is being advanced. A job
 *   without a domain may share rows with every other.
 * - `waitsForOutcomes`: Its rows become due again each hour while an acquirer's outcome is open. What it does then does not
 *   depend on other such jobs.
 * - `callsAcquirer`: Its runs wait for the acquirer, so they must not take the slots of jobs that do not.
 * - `run`: Claims and handles a batch of rows that are due by `until`, earliest first. Returns the number handled, 0
 *   when none is left. Concurrent runs for one tenant must be harmless. A run of more than a second or two checks
 *   `isStopping`.
 */
export interface Job {
  readonly name: string
  readonly clock: 'business' | 'real'
  readonly domain?: string
  readonly callsAcquirer?: true
  readonly waitsForOutcomes?: true
  nextRunAt(tx: Tx): Promise<Instant | null>
  run(run: JobRun): Promise<number>
}

/**
 * - `timeOf`: `dueAt` while a clock is being advanced, now otherwise.
 * - `quietUntil`: The time until which only jobs that wait for outcomes are due. Present only while a clock is being advanced.
 * - `isStopping`: True once the process is ending or another process has taken over. Then the run starts nothing new.
 * - `detach`: Takes over work that waits for a slow third party, so that the run can end and free its slot. Absent
 *   while a clock is being advanced, because the outcome must be recorded at the run's time.
 */
export interface JobRun {
  readonly businessId: string
  readonly until: Instant
  readonly timeOf: (dueAt: Instant) => Instant
  readonly quietUntil?: Instant
  readonly isStopping?: () => boolean
  readonly detach?: (rest: Promise<void>) => void
}

const UNLESS_EARLIER = sql`on conflict (business_id, job) do update
  set due_at = least(next_runs.due_at, excluded.due_at), rechecks = 0`

/**
 * Schedules a run of the job at `dueAt`. Call it in the transaction that writes the row that is due then. When an earlier
 * run is scheduled already, the call costs one index look-up and no row lock.
 */
export async function scheduleJob(
  tx: Tx,
  job: string,
  dueAt: Instant,
  clock: Job['clock'] = 'business',
): Promise<void> {
  // An advance runs every job until nothing is due, and rebuilds the schedule at its end.
  if (clock === 'business' && tx.clockOffsetMs === undefined) return
  const offsetMs = clock === 'business' ? (tx.clockOffsetMs ?? 0) : 0
  const realDueAt = toRfc3339(dueAt.subtract({ milliseconds: offsetMs }))
  await tx.execute(sql`
    insert into next_runs (business_id, job, due_at)
    select ${tx.businessId}::text, ${job}::text, ${realDueAt}::timestamptz
     where not exists (select 1 from next_runs
                        where business_id = ${tx.businessId} and job = ${job}
                          and due_at <= ${realDueAt} and rechecks = 0)
    ${UNLESS_EARLIER}`)
}

/**
 * A statement that makes rows due and schedules the job at once for their tenants.
 * @param job the name of a job on the business's clock
 * @param update an `update … returning business_id` across all tenants
 */
export function scheduleNow(job: string, update: Sql): Sql {
  return sql`
    with updated as (${update})
    insert into next_runs (business_id, job, due_at) select distinct business_id, ${job}::text, now() from updated
    ${UNLESS_EARLIER}`
}

/** A run is a trace of its own, also while a clock is advanced: the request that advances it may take minutes. */
export function tracedRun(job: Job, run: JobRun): Promise<number> {
  const attributes = { 'quittance.job': job.name, 'quittance.business_id': run.businessId }
  return tracedFromHere(`job ${job.name}`, { attributes }, async (span) => {
    const handled = await job.run(run)
    span?.setAttribute('quittance.handled', handled)
    return handled
  })
}

export interface JobRunnerOptions {
  readonly db: Database
  readonly jobs: readonly Job[]
  readonly log: Logger
  readonly pollMs?: number
  readonly concurrency?: number
  readonly onFailure?: (job: string) => void
  readonly onRun?: (job: string, handled: number, durationMs: number) => void
}

/**
 * `scheduleJob` writes nothing when an earlier run is scheduled, and its transaction may commit after that run. The runner
 * would then miss the row. So after the last run that found work the runner checks twice more: soon, and when every
 * transaction that was open at that time must have ended. `scheduleJob` ignores a run that is only such a check
 * (`rechecks` above 0).
 */
const RECHECK_MS = [1_000, MAX_TRANSACTION_MS]
const RETRY_AFTER_FAILURE_MS = 2_000
/** docs/decisions/next-runs-without-locks has the cost of a look. */
const POLL_MS = 100
const POLL_AFTER_FAILURE_MS = 1_000
/** While this process commits nothing, only other processes and time make work due. */
const POLLS_SKIPPED_WHEN_IDLE = 3
const MAX_NEXT_RUNS_READ = 200

interface NextRun {
  readonly business_id: string
  readonly job: string
  readonly due_at: Instant
}

interface Recheck {
  readonly due_at: Instant
  readonly rechecks: number
}

export class JobRunner {
  readonly #options: Required<JobRunnerOptions>
  readonly #jobs: ReadonlyMap<string, Job>
  readonly #running = new Map<string, Promise<void>>()
  readonly #detached = new Set<Promise<void>>()
  #loop: Promise<void> | undefined
  #stopping = false
  #pending: NextRun[] = []
  #loggedAtMs = -Infinity
  #wake: (() => void) | undefined

  constructor(options: JobRunnerOptions) {
    const { pollMs = POLL_MS } = options
    this.#options = {
      concurrency: 6,
      onFailure: () => {},
      onRun: () => {},
      ...options,
      pollMs: Math.max(pollMs, options.db.readAllTenantsEveryMs),
    }
    this.#jobs = new Map(options.jobs.map((job) => [job.name, job]))
  }

  start(): void {
    this.#loop = this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping = true
    this.#wake?.()
    await this.#loop
    await Promise.all(this.#running.values())
    await Promise.all(this.#detached)
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      try {
        const committed = this.#options.db.transactionsCommitted
        const full = await this.#startDue()
        await this.#pause(this.#options.pollMs, full ? Promise.race(this.#running.values()) : undefined)
        await this.#pauseWhileIdle(committed)
      } catch (error) {
        this.#logUnread(error)
        await this.#pause(POLL_AFTER_FAILURE_MS)
      }
    }
  }

  async #pauseWhileIdle(committed: number): Promise<void> {
    for (let skipped = 0; skipped < POLLS_SKIPPED_WHEN_IDLE; skipped++) {
      const isIdle = this.#running.size === 0 && this.#options.db.transactionsCommitted === committed
      if (this.#stopping || !isIdle) return
      await this.#pause(this.#options.pollMs)
    }
  }

  async #pause(ms: number, sooner?: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve
      timer = setTimeout(resolve, ms)
    })
    await (sooner === undefined ? woken : Promise.race([sooner, woken]))
    clearTimeout(timer)
  }

  async #startDue(): Promise<boolean> {
    // With thousands of tenants due, reading the table for each released slot would be too much.
    if (this.#pending.length === 0) this.#pending = await this.#readNextRuns()
    for (let next = this.#pending[0]; next !== undefined; next = this.#pending[0]) {
      const key = `${next.business_id} ${next.job}`
      const job = this.#jobs.get(next.job)
      const isStartable = job !== undefined && !this.#running.has(key)
      if (isStartable && this.#isFull()) return true
      this.#pending.shift()
      if (!isStartable) continue
      const finished = this.#runJob(next.business_id, job).finally(() => this.#running.delete(key))
      this.#running.set(key, finished)
    }
    return this.#isFull()
  }

  #isFull(): boolean {
    return this.#running.size >= this.#options.concurrency
  }

  async #readNextRuns(): Promise<NextRun[]> {
    const names = [...this.#jobs.keys()]
    const now = toRfc3339(realClock.now())
    const { rows, failures } = await this.#options.db.readAllTenants<NextRun>({
      tables: ['next_runs', 'business_clocks'],
      text: (table) => sql`
        select n.business_id, n.job, n.due_at
          from ${table('next_runs')} n
          join ${table('business_clocks')} c on c.business_id = n.business_id
         where n.due_at <= ${now} and n.job = any(${names})
           and (c.frozen_at is null or n.job = any(${this.#namesOnRealClock()}))
         order by n.due_at
         limit ${MAX_NEXT_RUNS_READ}`,
    })
    if (failures.length > 0 && performance.now() - this.#loggedAtMs >= POLL_AFTER_FAILURE_MS) {
      this.#loggedAtMs = performance.now()
      this.#logUnread(failures[0])
    }
    return rows.sort((a, b) => Temporal.Instant.compare(a.due_at, b.due_at)).slice(0, MAX_NEXT_RUNS_READ)
  }

  #logUnread(error: unknown): void {
    this.#options.log.warn({ err: error }, 'could not read the jobs that are due')
  }

  #namesOnRealClock(): string[] {
    return [...this.#jobs.values()].filter((job) => job.clock === 'real').map((job) => job.name)
  }

  async #runJob(businessId: string, job: Job): Promise<void> {
    try {
      let foundWork = false
      for (;;) {
        if (this.#stopping) return
        const handled = await this.#runBatch(businessId, job)
        foundWork ||= handled > 0
        const isMoreDue = await this.#reschedule(businessId, job, foundWork)
        if (handled === 0 || !isMoreDue || this.#isFull()) return
      }
    } catch (error) {
      this.#logFailure(error, businessId, job)
      await this.#postpone(businessId, job).catch(() => {})
    }
  }

  async #runBatch(businessId: string, job: Job): Promise<number> {
    const now = job.clock === 'real' ? realClock.now() : await this.#businessNow(businessId)
    if (now === undefined) return 0
    const startedAt = performance.now()
    const handled = await tracedRun(job, {
      businessId,
      until: now,
      timeOf: () => now,
      isStopping: () => this.#stopping,
      detach: (rest) => this.#detach(businessId, job, rest),
    })
    this.#options.onRun(job.name, handled, performance.now() - startedAt)
    return handled
  }

  #detach(businessId: string, job: Job, rest: Promise<void>): void {
    const finished = rest
      .catch((error: unknown) => this.#logFailure(error, businessId, job))
      .finally(() => this.#detached.delete(finished))
    this.#detached.add(finished)
  }

  #logFailure(error: unknown, businessId: string, job: Job): void {
    this.#options.log.error({ err: error, business_id: businessId, job: job.name }, 'a job failed')
    this.#options.onFailure(job.name)
  }

  async #businessNow(businessId: string): Promise<Instant | undefined> {
    const [clock] = await this.#options.db.read<ClockRow>(
      businessId,
      sql`select offset_ms, frozen_at from business_clocks where business_id = ${businessId} and frozen_at is null`,
    )
    return clock && timeOn(clock)
  }

  async #reschedule(businessId: string, job: Job, foundWork: boolean): Promise<boolean> {
    return this.#options.db.transact(businessId, async (tx) => {
      if (job.clock === 'business' && tx.clockOffsetMs === undefined) return false
      const [scheduled] = await tx.query<Recheck>(sql`
        select due_at, rechecks from next_runs
         where business_id = ${businessId} and job = ${job.name} for update`)
      const next = await job.nextRunAt(tx)
      // Another process ran at the same moment and has rescheduled. Both runs count as one check.
      const isRescheduled =
        scheduled !== undefined && !foundWork && isAfter(scheduled.due_at, realClock.now())
      if (scheduled !== undefined) {
        const recheck = isRescheduled ? scheduled : recheckAfter(foundWork ? 0 : scheduled.rechecks)
        await writeNextRun(tx, job, next, recheck)
      }
      const now = job.clock === 'real' ? realClock.now() : tx.now
      return next !== null && !isAfter(next, now)
    })
  }

  async #postpone(businessId: string, job: Job): Promise<void> {
    await this.#options.db.transact(businessId, (tx) =>
      tx.execute(sql`
        update next_runs set due_at = ${toRfc3339(realClock.now().add({ milliseconds: RETRY_AFTER_FAILURE_MS }))}
         where business_id = ${businessId} and job = ${job.name}`),
    )
  }
}

function recheckAfter(rechecks: number): Recheck | undefined {
  const inMs = RECHECK_MS[rechecks]
  if (inMs === undefined) return undefined
  return { due_at: realClock.now().add({ milliseconds: inMs }), rechecks: rechecks + 1 }
}

async function writeNextRun(
  tx: Tx,
  job: Job,
  next: Instant | null,
  recheck: Recheck | undefined,
): Promise<void> {
  const offsetMs = job.clock === 'business' ? (tx.clockOffsetMs ?? 0) : 0
  const nextReal = next?.subtract({ milliseconds: offsetMs })
  const dueAt = earliestOf([nextReal, recheck?.due_at])
  if (dueAt === null) {
    await tx.execute(sql`delete from next_runs where business_id = ${tx.businessId} and job = ${job.name}`)
    return
  }
  await tx.execute(sql`
    insert into next_runs (business_id, job, due_at, rechecks)
    values (${tx.businessId}, ${job.name}, ${toRfc3339(dueAt)}, ${dueAt === recheck?.due_at ? recheck.rechecks : 0})
    on conflict (business_id, job) do update set due_at = excluded.due_at, rechecks = excluded.rechecks`)
}

export async function rebuildSchedule(tx: Tx, jobs: readonly Job[]): Promise<void> {
  for (const job of jobs) await writeNextRun(tx, job, await job.nextRunAt(tx), recheckAfter(0))
}
