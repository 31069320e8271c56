import type { DuePlan } from '../storage/due-plan.repository.ts'

/** Plans in one batch: enough that the cost of a statement vanishes among its rows, few enough to keep memory small. */
const BATCH_PLANS = 200
/**
 * While one batch writes, another waits for the acquirer and a third reads. Five batches of 150 plans took 2.5 % more
 * processor time and 20 MB more memory.
 */
export const MAX_CONCURRENT_BATCHES = 3
/** A search finds the plans of all concurrent batches and of the next two, so that no batch waits for a search. */
export const SEARCH_PLANS = (MAX_CONCURRENT_BATCHES + 2) * BATCH_PLANS

export interface BatchSource {
  readonly find: (except: ReadonlySet<string>) => Promise<readonly DuePlan[]>
  readonly process: (duePlans: readonly DuePlan[]) => Promise<{ readonly plansChanged: number }>
  readonly isStopping: () => boolean
}

/**
 * Processes due plans in concurrent batches until none is left. A plan is in one batch at a time, because its next step
 * depends on the outcome of this one. After an error the batches in progress finish, no other starts, and the run fails.
 */
export class BatchRunner {
  readonly #source: BatchSource
  readonly #planIdsInBatches = new Set<string>()
  #found: readonly DuePlan[] = []
  readonly #batches = new Set<Promise<void>>()
  readonly #slowCharges = new Set<Promise<void>>()
  #plansChanged = 0
  #stopped = false
  readonly #failures: unknown[] = []

  constructor(source: BatchSource) {
    this.#source = source
  }

  async run(): Promise<number> {
    while (!this.#stopped && !this.#source.isStopping()) {
      if (this.#batches.size >= MAX_CONCURRENT_BATCHES) await Promise.race(this.#batches)
      const duePlans = await this.#nextBatch()
      if (duePlans.length > 0) this.#start(duePlans)
      const inProgress = this.#batches.size > 0 ? this.#batches : this.#slowCharges
      if (inProgress.size === 0) break
      // After an incomplete batch nothing is due until a plan in progress reaches its next step.
      if (duePlans.length < BATCH_PLANS) await Promise.race(inProgress)
    }
    await Promise.all(this.#batches)
    await Promise.all(this.#slowCharges)
    if (this.#failures.length > 0) throw this.#failures[0]
    return this.#plansChanged
  }

  waitForSlowCharges(recorded: Promise<void>): void {
    const slow = recorded
      .catch((error: unknown) => this.#fail(error))
      .finally(() => this.#slowCharges.delete(slow))
    this.#slowCharges.add(slow)
  }

  stop(): void {
    this.#stopped = true
  }

  async #nextBatch(): Promise<readonly DuePlan[]> {
    if (this.#found.length === 0) this.#found = await this.#source.find(this.#planIdsInBatches)
    const next = this.#found.slice(0, BATCH_PLANS)
    this.#found = this.#found.slice(BATCH_PLANS)
    return next
  }

  #start(duePlans: readonly DuePlan[]): void {
    for (const { planId } of duePlans) this.#planIdsInBatches.add(planId)
    const batch = this.#process(duePlans).finally(() => this.#batches.delete(batch))
    this.#batches.add(batch)
  }

  async #process(duePlans: readonly DuePlan[]): Promise<void> {
    try {
      const { plansChanged } = await this.#source.process(duePlans)
      this.#plansChanged += plansChanged
      if (plansChanged === 0) this.stop()
    } catch (error) {
      this.#fail(error)
    } finally {
      for (const { planId } of duePlans) this.#planIdsInBatches.delete(planId)
    }
  }

  #fail(error: unknown): void {
    this.stop()
    this.#failures.push(error)
  }
}
