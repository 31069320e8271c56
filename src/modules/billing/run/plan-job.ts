import type { Instant } from '#kernel/clock'
import { Semaphore } from '#kernel/semaphore'
import type { TaxAnswers } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import type { JobRun, Job } from '#platform/jobs/jobs'
import type { InitiatedCharges } from '../dunning/initiate-attempts.ts'
import { AttemptPerformer } from '../dunning/perform-attempts.ts'
import { ConcurrentPlanChange } from '../concurrent-change.ts'
import { retryOrders } from '../dunning/retry-orders.ts'
import { voidOrders } from '../dunning/void-orders.ts'
import { RECURRING_JOB } from '#modules/plans'
import { type DuePlan, findDuePlans, nextPlanDueAt } from '../storage/due-plan.repository.ts'
import type { BillingContext } from '../context.ts'
import { advancePlans } from './advance-plans.ts'
import { BatchRunner, MAX_CONCURRENT_BATCHES, SEARCH_PLANS } from './batch-runner.ts'

/**
 * Everything that plans do by themselves. One job does all of it, so that the periods, attempts and voids of a plan happen
 * in the order of their times. A due plan is charged in these steps:
 *
 * 1. `run` finds due plans and forms batches.
 * 2. `advancePlans` locks the plans of new periods, decides, creates the orders and initiates the first attempts;
 *    `retryOrders` initiates the attempts of orders that are still open; `voidOrders` voids orders at the end of grace.
 * 3. `#charge` commits, and only then has `AttemptPerformer` send the charges to the acquirer.
 * 4. `AttemptPerformer` records the outcomes. In the same transaction payments calls `applyOrderChanges`, which applies
 *    them to the plans.
 */
export class PlanJob implements Job {
  readonly name = RECURRING_JOB
  readonly clock = 'business'
  readonly domain = 'plans'
  readonly #ctx: BillingContext
  readonly #performer: AttemptPerformer
  readonly #batchPlaces = new Semaphore(MAX_CONCURRENT_BATCHES)

  constructor(ctx: BillingContext) {
    this.#ctx = ctx
    this.#performer = new AttemptPerformer(ctx)
  }

  nextRunAt(tx: Tx): Promise<Instant | null> {
    return nextPlanDueAt(tx)
  }

  run(run: JobRun): Promise<number> {
    const batches: BatchRunner = new BatchRunner({
      find: (except) =>
        findDuePlans(this.#ctx.db, run.businessId, { until: run.until, limit: SEARCH_PLANS, except }),
      process: (duePlans) => this.#batchPlaces.run(() => this.#process(run, duePlans, batches)),
      isStopping: () => run.isStopping?.() === true,
    })
    return batches.run()
  }

  async #process(run: JobRun, duePlans: readonly DuePlan[], batches: BatchRunner) {
    const byKind = Map.groupBy(duePlans, ({ due }) => due.kind)
    const voided = await this.#void(run, byKind.get('void') ?? [], batches)
    const retried = await this.#retry(run, byKind.get('attempt') ?? [], batches)
    const advanced = await this.#advance(run, byKind.get('timeline') ?? [], batches)
    return { plansChanged: voided + retried + advanced }
  }

  async #void(run: JobRun, duePlans: readonly DuePlan[], batches: BatchRunner): Promise<number> {
    const { hasBlocked } = await voidOrders(this.#ctx, run, duePlans)
    // An advancing clock first lets other jobs finish the blocked voids, which come before anything that is due later.
    if (hasBlocked && run.detach === undefined) batches.stop()
    return duePlans.length
  }

  async #retry(run: JobRun, duePlans: readonly DuePlan[], batches: BatchRunner): Promise<number> {
    if (duePlans.length === 0) return 0
    try {
      return await this.#charge(run, batches, (tx) =>
        retryOrders(this.#ctx, tx, { duePlans, timeOf: run.timeOf }),
      )
    } catch (error) {
      if (error instanceof ConcurrentPlanChange) return 0
      throw error
    }
  }

  async #advance(run: JobRun, duePlans: readonly DuePlan[], batches: BatchRunner): Promise<number> {
    if (duePlans.length === 0) return 0
    return this.#charge(run, batches, (tx, answers) =>
      advancePlans(this.#ctx, tx, { duePlans, until: run.until, timeOf: run.timeOf }, answers),
    )
  }

  async #charge(
    run: JobRun,
    batches: BatchRunner,
    initiate: (tx: Tx, answers: TaxAnswers) => Promise<InitiatedCharges>,
  ): Promise<number> {
    const { businessId } = run
    const { plansChanged, charges } = await this.#ctx.taxes.withEngine(businessId, (answers) =>
      this.#ctx.db.transact(businessId, (tx) => initiate(tx, answers)),
    )
    const slow = await this.#performer.perform(businessId, charges)
    if (slow !== undefined) {
      if (run.detach === undefined) batches.waitForSlowCharges(slow.recorded)
      else run.detach(slow.recorded)
    }
    return plansChanged
  }
}
