import { JobRunner } from '#platform/jobs/jobs'
import type { WebhooksDependencies } from '../dependencies.ts'
import { deliveryJob } from '../jobs.ts'
import { Dispatcher } from './dispatcher.ts'

/** More would only wait for `MAX_TRANSACTIONS` of the dispatcher. */
const CONCURRENT_CLAIMS = 4
const POLL_MS = 50

export class DeliveryWorker {
  readonly #deps: WebhooksDependencies
  #delivering: { dispatcher: Dispatcher; runner: JobRunner } | undefined

  constructor(deps: WebhooksDependencies) {
    this.#deps = deps
  }

  /** Starts delivering, with a job runner of its own: deliveries and billing runs do not wait for each other. */
  start(): void {
    if (this.#delivering !== undefined) throw new Error('webhook delivery has already been started')
    const { db, log, onFailure, onRun } = this.#deps
    const dispatcher = new Dispatcher(this.#deps)
    const runner = new JobRunner({
      db,
      jobs: [deliveryJob(dispatcher)],
      log,
      onFailure,
      ...(onRun !== undefined && { onRun }),
      pollMs: POLL_MS,
      concurrency: CONCURRENT_CLAIMS,
    })
    runner.start()
    this.#delivering = { dispatcher, runner }
  }

  scheduleClaim(businessId: string, inMs?: number): void {
    this.#delivering?.dispatcher.scheduleClaim(businessId, inMs)
  }

  async stop(): Promise<void> {
    const delivering = this.#delivering
    this.#delivering = undefined
    await delivering?.runner.stop()
    await delivering?.dispatcher.stop()
  }
}
