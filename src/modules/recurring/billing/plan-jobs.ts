import { type Instant, timeOfChange } from '#kernel/clock'
import { Semaphore } from '#kernel/semaphore'
import type { Tx } from '#platform/postgres/database'
import type { JobRun, Job } from '#platform/jobs/jobs'
import type { BegunAttempt } from '../dunning/attempt.ts'
import type { ChargeAttempts } from '../dunning/charge-attempts.ts'
import { RECURRING_DUE } from '../job-kinds.ts'
import { madeToWait } from '../dunning/dunning.ts'
import { type DuePlan, findDuePlans, loadLives, nextPlanDueAt } from '../storage/life.repository.ts'
import type { RecurringDependencies } from '../dependencies.ts'
import { isStillDue } from '../plan/plan.ts'
import { PlanChangedMeanwhile, runAttempts } from '../dunning/run-attempts.ts'
import { runTimeline } from './run-timeline.ts'
import { commitLives } from '../storage/tell.ts'

/** Plans of one batch: enough for the statements' cost to vanish among the rows', few enough to keep memory small. */
const BATCH_PLANS = 200
/**
 * While one batch writes, another waits for the acquirer and a third reads. Five of 150 plans used a fortieth more of the
 * processors, and 20 MB more memory.
 */
const BATCHES_UNDER_WAY = 3
/** Plans that are looked up at once: a look passes over all that are in a batch, so few of them are made. */
const PLANS_A_LOOK = 1_000

/** How far one run is. */
interface Progress {
  /** Plans that are in a batch. */
  readonly underWay: Set<string>
  /** Plans that were found and are in no batch yet, the earliest first. Nothing holds them: a batch looks at each again. */
  found: readonly DuePlan[]
  readonly batches: Set<Promise<void>>
  /** What batches left behind that the run has to wait for. */
  readonly slow: Set<Promise<void>>
  done: number
  stopped: boolean
  readonly failures: unknown[]
}

/**
 * Everything that plans do by themselves: periods, attempts and voids, in one kind of due work, so that each plan lives
 * through its own in order.
 */
export class PlanJob implements Job {
  readonly name = RECURRING_DUE
  readonly clock = 'business'
  readonly domain = 'plans'
  readonly #deps: RecurringDependencies
  readonly #charges: ChargeAttempts
  readonly #batches = new Semaphore(BATCHES_UNDER_WAY)
  /** Transactions of due work itself, which applies what it does to orders without the reaction. */
  readonly #own = new WeakSet<Tx>()

  constructor(deps: RecurringDependencies, charges: ChargeAttempts) {
    this.#deps = deps
    this.#charges = charges
  }

  /** Whether a change of orders was made by a batch that applies it itself. */
  isOwn(tx: Tx): boolean {
    return this.#own.has(tx)
  }

  nextRunAt(tx: Tx): Promise<Instant | null> {
    return nextPlanDueAt(tx)
  }

  /** Batches run beside each other, a plan in one of them at a time: its next step waits for the outcome of this one. */
  async run(run: JobRun): Promise<number> {
    const progress: Progress = {
      underWay: new Set(),
      found: [],
      batches: new Set(),
      slow: new Set(),
      done: 0,
      stopped: false,
      failures: [],
    }
    while (!progress.stopped && run.isStopping?.() !== true) {
      if (progress.batches.size >= BATCHES_UNDER_WAY) await Promise.race(progress.batches)
      const plans = await this.#next(progress, run)
      if (plans.length > 0) this.#start(progress, run, plans)
      const underWay = progress.batches.size > 0 ? progress.batches : progress.slow
      if (underWay.size === 0) break
      // There is no more until a plan in a batch has its next thing to do.
      if (plans.length < BATCH_PLANS) await Promise.race(underWay)
    }
    await Promise.all(progress.batches)
    await Promise.all(progress.slow)
    if (progress.failures.length > 0) throw progress.failures[0]
    return progress.done
  }

  async #next(progress: Progress, run: JobRun): Promise<readonly DuePlan[]> {
    if (progress.found.length === 0) {
      progress.found = await findDuePlans(this.#deps.db, run.businessId, {
        until: run.until,
        limit: PLANS_A_LOOK,
        except: progress.underWay,
      })
    }
    const next = progress.found.slice(0, BATCH_PLANS)
    progress.found = progress.found.slice(BATCH_PLANS)
    return next
  }

  #start(progress: Progress, run: JobRun, plans: readonly DuePlan[]): void {
    for (const { planId } of plans) progress.underWay.add(planId)
    const batch = this.#follow(progress, run, plans).finally(() => progress.batches.delete(batch))
    progress.batches.add(batch)
  }

  async #follow(progress: Progress, run: JobRun, plans: readonly DuePlan[]): Promise<void> {
    try {
      const done = await this.#batches.run(() => this.#batch(progress, run, plans))
      progress.done += done
      // Somebody else is at these plans: the next run looks again.
      if (done === 0) progress.stopped = true
    } catch (error) {
      fail(progress, error)
    } finally {
      for (const { planId } of plans) progress.underWay.delete(planId)
    }
  }

  async #batch(progress: Progress, run: JobRun, plans: readonly DuePlan[]): Promise<number> {
    const kinds = Map.groupBy(plans, (plan) => plan.due.kind)
    const voided = await this.#voids(progress, run, kinds.get('void') ?? [])
    const attempted = await this.#attempts(progress, run, kinds.get('attempt') ?? [])
    const advanced = await this.#timelines(progress, run, kinds.get('timeline') ?? [])
    return voided + attempted + advanced
  }

  async #timelines(progress: Progress, run: JobRun, plans: readonly DuePlan[]): Promise<number> {
    if (plans.length === 0) return 0
    const { done, begun } = await this.#deps.db.transact(run.businessId, (tx) => {
      this.#own.add(tx)
      return runTimeline(this.#deps, tx, { plans, until: run.until, timeOf: run.timeOf })
    })
    await this.#charge(progress, run, begun)
    return done
  }

  async #attempts(progress: Progress, run: JobRun, plans: readonly DuePlan[]): Promise<number> {
    if (plans.length === 0) return 0
    try {
      const { done, begun } = await this.#deps.db.transact(run.businessId, (tx) => {
        this.#own.add(tx)
        return runAttempts(this.#deps, tx, { plans, timeOf: run.timeOf })
      })
      await this.#charge(progress, run, begun)
      return done
    } catch (error) {
      if (error instanceof PlanChangedMeanwhile) return 0
      throw error
    }
  }

  /** Grace has ended: payments voids the orders, and the reaction to that changes the plans. */
  async #voids(progress: Progress, run: JobRun, plans: readonly DuePlan[]): Promise<number> {
    const orders = plans.flatMap(({ due }) =>
      due.orderId === null ? [] : [{ orderId: due.orderId, at: run.timeOf(due.at) }],
    )
    if (orders.length === 0) return 0
    const results = await this.#deps.payments.voidOrdersNow(run.businessId, orders, (tx) =>
      ordersStillToVoid(tx, plans),
    )
    const waiting = plans.filter(({ due }) => results.get(due.orderId ?? '') === 'waiting')
    if (waiting.length > 0) await this.#waitWithVoids(run, waiting)
    // While a clock is being advanced, they come before what is due after them.
    progress.stopped ||= waiting.length > 0 && run.detach === undefined
    return plans.length
  }

  /**
   * Makes voids wait that go on by themselves. One that was given up has told so already, as a merchant's that does not
   * take back what is settled: the next look voids again, by the rules of the grace.
   */
  async #waitWithVoids(run: JobRun, plans: readonly DuePlan[]): Promise<void> {
    await this.#deps.db.transact(run.businessId, async (tx) => {
      // Whoever ends a void needs the plan's lock to tell of it; so the orders are read after it.
      const lives = await loadLives(tx, { planIds: plans.map(({ planId }) => planId), lock: 'wait' })
      const orderIds = plans.flatMap(({ due }) => due.orderId ?? [])
      const orders = await this.#deps.payments.findOrders(tx, orderIds)
      const changes = plans.flatMap(({ planId, due }) => {
        const before = lives.get(planId)
        const { orderId } = due
        if (before === undefined || orderId === null) return []
        const isVoiding = orders.get(orderId)?.order.voiding != null
        if (!isVoiding || !before.orders.some((order) => order.orderId === orderId)) return []
        const at = timeOfChange(before.plan, run.timeOf(due.at))
        return [{ before, after: madeToWait(before, orderId), at }]
      })
      await commitLives(this.#deps, tx, changes)
    })
  }

  async #charge(progress: Progress, run: JobRun, attempts: readonly BegunAttempt[]): Promise<void> {
    const left = await this.#charges.make(run.businessId, attempts)
    if (left === undefined) return
    if (run.detach !== undefined) return run.detach(left.recorded)
    const slow = left.recorded
      .catch((error: unknown) => fail(progress, error))
      .finally(() => progress.slow.delete(slow))
    progress.slow.add(slow)
  }
}

/** What is paid or changed meanwhile may have ended a grace. */
async function ordersStillToVoid(tx: Tx, plans: readonly DuePlan[]): Promise<ReadonlySet<string>> {
  const lives = await loadLives(tx, { planIds: plans.map(({ planId }) => planId), lock: 'wait' })
  return new Set(
    plans.flatMap(({ planId, due }) => {
      const life = lives.get(planId)
      return life !== undefined && isStillDue(life.plan, due) ? (due.orderId ?? []) : []
    }),
  )
}

/** What was begun is finished, nothing more is begun, and the run fails. */
function fail(progress: Progress, error: unknown): void {
  progress.stopped = true
  progress.failures.push(error)
}
