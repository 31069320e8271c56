import type { Logger } from 'pino'
import sql, { type Sql } from 'sql-template-tag'
import { earliestOf, type Instant, isAfter, realClock, toRfc3339 } from '#kernel/clock'
import { type ClockRow, timeOn } from '#platform/postgres/business-clock'
import { type Database, MAX_TRANSACTION_MS, type Tx } from '#platform/postgres/database'

/**
 * Due work: plans to bill, attempts to retry, orders to void, holds to expire. What is due are rows
 * of the modules' own tables; there is no queue beside them. The runner finds tenants with something
 * due through the small table `next_runs`, and each kind of work claims its own rows.
 */
export interface Job {
  /** Stable: it is stored in `next_runs`. */
  readonly name: string
  /** The clock that its due times are on. */
  readonly clock: 'business' | 'real'
  /**
   * What it works on. Kinds of different ones find nothing that the other changes, so a clock that is being advanced lets
   * neither wait for the other. Left out by a kind that may meet every other.
   */
  readonly domain?: string
  /** Its runs wait for somebody outside who may not answer, and take no places of what waits for nobody. */
  readonly callsAcquirer?: true
  /** The earliest due time among this tenant's rows; null when nothing is left to do. */
  nextRunAt(tx: Tx): Promise<Instant | null>
  /**
   * Claims and does some of what is due at or before `until`, earliest first, and answers how much was
   * done; 0 when nothing is left. Concurrent runs of one tenant must be harmless. One that goes on for
   * more than a second or two looks whether it is to stop.
   */
  run(run: JobRun): Promise<number>
}

export interface JobRun {
  readonly businessId: string
  readonly until: Instant
  /**
   * The time at which an item that was due at `dueAt` is done: its own due time while a clock is
   * being advanced, now otherwise.
   */
  readonly timeOf: (dueAt: Instant) => Instant
  /** Whether the process is ending, or somebody else has taken over: then nothing more is begun. */
  readonly isStopping?: () => boolean
  /**
   * Takes over what waits for somebody outside who is slow, so that the run can end and others have its place. Left out
   * while a clock is being advanced: what comes of it belongs to the time that the run is at.
   */
  readonly detach?: (rest: Promise<void>) => void
}

const UNLESS_EARLIER = sql`on conflict (business_id, job) do update
  set due_at = least(next_runs.due_at, excluded.due_at), rechecks = 0`

/**
 * Tells the runner that a row of `kind` is due at `dueAt`, in the transaction that writes the row.
 * Writes only when that is earlier than what the runner knows of, so that it costs a hot tenant one
 * index look-up and no row lock.
 */
export async function scheduleJob(
  tx: Tx,
  job: string,
  dueAt: Instant,
  clock: Job['clock'] = 'business',
): Promise<void> {
  // While the clock is being advanced every kind is looked at until nothing is due, and at its end all heads are made anew.
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
 * What lets the runner come at once to the tenants of rows that a statement has made due.
 * @param kind of due work on the business's clock
 * @param made an `update … returning business_id`, of all tenants
 */
export function dueNow(job: string, made: Sql): Sql {
  return sql`
    with made as (${made})
    insert into next_runs (business_id, job, due_at) select distinct business_id, ${job}::text, now() from made
    ${UNLESS_EARLIER}`
}

export interface JobRunnerOptions {
  readonly db: Database
  readonly jobs: readonly Job[]
  readonly log: Logger
  /** How often the heads are looked at. */
  readonly pollMs?: number
  /** How many tenants' work is done at the same time. */
  readonly concurrency?: number
  readonly onFailure?: (job: string) => void
}

/**
 * A transaction that saw an earlier head writes none, and may commit only after the runner looked at
 * it. So after the last work the runner looks again, once soon and once when every transaction that
 * was open then must have ended. A head that stands only for such a look (`rechecks` > 0) does not
 * spare a transaction its own.
 */
const RECHECK_MS = [1_000, MAX_TRANSACTION_MS]
/** A tenant whose work keeps failing is tried again after this, so that it does not starve the others. */
const RETRY_AFTER_FAILURE_MS = 2_000
/** A database that is away is not looked for, and told of, at every poll. */
const LOOK_AFTER_FAILURE_MS = 1_000
const MAX_NEXT_RUNS_READ = 200

interface Head {
  readonly business_id: string
  readonly job: string
}

/** When a kind of work is looked at at the latest, and how many times it will have been since its last work. */
interface Look {
  readonly due_at: Instant
  readonly rechecks: number
}

export class JobRunner {
  readonly #options: Required<JobRunnerOptions>
  readonly #jobs: ReadonlyMap<string, Job>
  readonly #underWay = new Map<string, Promise<void>>()
  readonly #left = new Set<Promise<void>>()
  #loop: Promise<void> | undefined
  #stopping = false
  /** Heads that were read and not looked at yet, the earliest first. */
  #found: Head[] = []
  #wake: (() => void) | undefined

  constructor(options: JobRunnerOptions) {
    this.#options = { pollMs: 100, concurrency: 6, onFailure: () => {}, ...options }
    this.#jobs = new Map(options.jobs.map((job) => [job.name, job]))
  }

  start(): void {
    this.#loop = this.#run()
  }

  /** Lets work under way finish and starts no more. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#wake?.()
    await this.#loop
    await Promise.all(this.#underWay.values())
    await Promise.all(this.#left)
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      try {
        const full = await this.#startDue()
        // When there is more than fits, the next look comes as soon as a place is free.
        await this.#pause(this.#options.pollMs, full ? Promise.race(this.#underWay.values()) : undefined)
      } catch (error) {
        this.#options.log.warn({ err: error }, 'could not look for jobs that are due')
        await this.#pause(LOOK_AFTER_FAILURE_MS)
      }
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

  /** Starts what is due as far as there are places; true when there are none left. */
  async #startDue(): Promise<boolean> {
    // What was read before is done first: with thousands of tenants due, each place that becomes free would read it again.
    if (this.#found.length === 0) this.#found = await this.#findHeads()
    for (let head = this.#found[0]; head !== undefined; head = this.#found[0]) {
      const key = `${head.business_id} ${head.job}`
      const job = this.#jobs.get(head.job)
      const isFree = job !== undefined && !this.#underWay.has(key)
      if (isFree && this.#isFull()) return true
      this.#found.shift()
      if (!isFree) continue
      const done = this.#job(head.business_id, job).finally(() => this.#underWay.delete(key))
      this.#underWay.set(key, done)
    }
    return this.#isFull()
  }

  #isFull(): boolean {
    return this.#underWay.size >= this.#options.concurrency
  }

  async #findHeads(): Promise<Head[]> {
    const names = [...this.#jobs.keys()]
    return this.#options.db.shared.query<Head>(sql`
      select h.business_id, h.job
        from next_runs h
        join business_clocks c on c.business_id = h.business_id
       where h.due_at <= ${toRfc3339(realClock.now())} and h.job = any(${names})
         and (c.frozen_at is null or h.job = any(${this.#namesOnRealClock()}))
       order by h.due_at
       limit ${MAX_NEXT_RUNS_READ}`)
  }

  #namesOnRealClock(): string[] {
    return [...this.#jobs.values()].filter((job) => job.clock === 'real').map((job) => job.name)
  }

  async #job(businessId: string, job: Job): Promise<void> {
    try {
      let worked = false
      for (;;) {
        if (this.#stopping) return
        const done = await this.#batch(businessId, job)
        worked ||= done > 0
        const isMoreDue = await this.#settleHead(businessId, job, worked)
        // Others may have waited longer than what is left of this one.
        if (done === 0 || !isMoreDue || this.#isFull()) return
      }
    } catch (error) {
      this.#logFailure(error, businessId, job)
      await this.#postpone(businessId, job).catch(() => {})
    }
  }

  async #batch(businessId: string, job: Job): Promise<number> {
    const now = job.clock === 'real' ? realClock.now() : await this.#businessNow(businessId)
    if (now === undefined) return 0
    return job.run({
      businessId,
      until: now,
      timeOf: () => now,
      isStopping: () => this.#stopping,
      detach: (rest) => this.#leave(businessId, job, rest),
    })
  }

  #leave(businessId: string, job: Job, rest: Promise<void>): void {
    const left = rest
      .catch((error: unknown) => this.#logFailure(error, businessId, job))
      .finally(() => this.#left.delete(left))
    this.#left.add(left)
  }

  #logFailure(error: unknown, businessId: string, job: Job): void {
    this.#options.log.error({ err: error, business_id: businessId, job: job.name }, 'a job failed')
    this.#options.onFailure(job.name)
  }

  /** Undefined while the clock is being advanced: whoever advances it does the work. */
  async #businessNow(businessId: string): Promise<Instant | undefined> {
    const [clock] = await this.#options.db.shared.query<ClockRow>(sql`
      select offset_ms, frozen_at from business_clocks where business_id = ${businessId} and frozen_at is null`)
    return clock && timeOn(clock)
  }

  /**
   * Moves the head to what is next, or looks again soon when work was seen a moment ago.
   * @returns whether something is due by now
   */
  async #settleHead(businessId: string, job: Job, worked: boolean): Promise<boolean> {
    return this.#options.db.transact(businessId, async (tx) => {
      if (job.clock === 'business' && tx.clockOffsetMs === undefined) return false
      const [head] = await tx.query<Look>(sql`
        select due_at, rechecks from next_runs
         where business_id = ${businessId} and job = ${job.name} for update`)
      const next = await job.nextRunAt(tx)
      // Another process that looked at the same moment has settled it: both are one look, and the next is still to come.
      const isSettled = head !== undefined && !worked && isAfter(head.due_at, realClock.now())
      if (head !== undefined) {
        await writeNextRun(tx, job, next, isSettled ? head : lookAfter(worked ? 0 : head.rechecks))
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

/** The look that comes after one that found nothing, when work was looked at again `rechecks` times before. */
function lookAfter(rechecks: number): Look | undefined {
  const inMs = RECHECK_MS[rechecks]
  if (inMs === undefined) return undefined
  return { due_at: realClock.now().add({ milliseconds: inMs }), rechecks: rechecks + 1 }
}

/** Writes the head of a kind: what is next, or a look before it. */
async function writeNextRun(tx: Tx, job: Job, next: Instant | null, look: Look | undefined): Promise<void> {
  const offsetMs = job.clock === 'business' ? (tx.clockOffsetMs ?? 0) : 0
  const nextReal = next?.subtract({ milliseconds: offsetMs })
  const dueAt = earliestOf([nextReal, look?.due_at])
  if (dueAt === null) {
    await tx.execute(sql`delete from next_runs where business_id = ${tx.businessId} and job = ${job.name}`)
    return
  }
  await tx.execute(sql`
    insert into next_runs (business_id, job, due_at, rechecks)
    values (${tx.businessId}, ${job.name}, ${toRfc3339(dueAt)}, ${dueAt === look?.due_at ? look.rechecks : 0})
    on conflict (business_id, job) do update set due_at = excluded.due_at, rechecks = excluded.rechecks`)
}

/** Makes all heads of a tenant anew, after its clock was moved. */
export async function rebuildSchedule(tx: Tx, jobs: readonly Job[]): Promise<void> {
  for (const job of jobs) await writeNextRun(tx, job, await job.nextRunAt(tx), lookAfter(0))
}
