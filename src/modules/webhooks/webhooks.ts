import { realClock } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import { type Job, JobRunner, scheduleJob } from '#platform/jobs/jobs'
import type { Page, PageRequest } from '#platform/http/validation/list'
import { createEndpoint } from './endpoints/create-endpoint.ts'
import { deleteEndpoint } from './endpoints/delete-endpoint.ts'
import type { DeliverySelection } from './storage/delivery.repository.ts'
import { Dispatcher } from './queue/dispatcher.ts'
import { deliveryPurge, deliveryWork } from './jobs.ts'
import { DELIVERIES } from './job-kinds.ts'
import { fanOut, findReceivers } from './queue/fan-out.ts'
import { deliveriesPage } from './api/list-deliveries.ts'
import { endpointsPage } from './api/list-endpoints.ts'
import { type EventView, eventsPage } from './api/list-events.ts'
import type { WebhooksDependencies } from './dependencies.ts'
import { redeliver } from './queue/redeliver.ts'
import type { EventSelection } from './storage/event.repository.ts'
import { rotateSecret } from './endpoints/rotate-secret.ts'

/** The transaction that writes a delivery has nearly always committed after this. */
const COMMIT_MS = 10
/** Businesses whose due deliveries are claimed at the same time. */
const CONCURRENCY = 4
const POLL_MS = 50

/** Events, and their delivery to whoever wants to know. Made once, in compose.ts. */
export class Webhooks {
  readonly #deps: WebhooksDependencies
  #delivering: { dispatcher: Dispatcher; runner: JobRunner } | undefined
  /** For the runner of all work: none of it is deliveries. */
  readonly jobs: readonly Job[]

  constructor(deps: WebhooksDependencies) {
    this.#deps = deps
    this.jobs = [deliveryPurge(deps.db)]
    deps.events.observe({
      prepare: (tx) => void findReceivers(tx),
      onEvents: async (tx, events, appended) => {
        const written = await fanOut(tx, events, appended, deps.sources)
        if (written > 0) this.#delivering?.dispatcher.ask(tx.businessId, COMMIT_MS)
      },
    })
  }

  /**
   * Delivers in this process from now on. It has a runner of its own: receivers neither wait for
   * billing runs, nor hold them up.
   */
  start(): void {
    if (this.#delivering !== undefined) throw new Error('delivery was started already')
    const { db, log, onFailure } = this.#deps
    const dispatcher = new Dispatcher(this.#deps)
    const works = [deliveryWork(dispatcher)]
    const pace = { pollMs: POLL_MS, concurrency: CONCURRENCY }
    const runner = new JobRunner({ db, jobs: works, log, onFailure, ...pace })
    runner.start()
    this.#delivering = { dispatcher, runner }
  }

  /** What is under way gets two seconds; what is not over by then is delivered again by the next process. */
  async stop(): Promise<void> {
    const delivering = this.#delivering
    this.#delivering = undefined
    await delivering?.runner.stop()
    await delivering?.dispatcher.stop()
  }

  /** To be called in the transaction that moves a business's clock: what waits for its time may be due. */
  async onClockMoved(tx: Tx): Promise<void> {
    await scheduleJob(tx, DELIVERIES, realClock.now(), 'real')
  }

  createEndpoint(
    caller: Caller,
    endpoint: { readonly url: string; readonly types?: readonly string[] | undefined },
  ): Promise<{ endpoint: object }> {
    return createEndpoint(this.#deps, caller, endpoint)
  }

  endpoints(caller: Caller, page: PageRequest): Promise<{ endpoints: object[]; page: Page }> {
    return endpointsPage(this.#deps.db, caller, page)
  }

  deleteEndpoint(caller: Caller, id: string): Promise<{ endpoint: object }> {
    return deleteEndpoint(this.#deps, caller, id)
  }

  rotateSecret(caller: Caller, endpointId: string): Promise<{ endpoint: object }> {
    return rotateSecret(this.#deps, caller, endpointId)
  }

  events(
    caller: Caller,
    selection: EventSelection,
    page: PageRequest,
  ): Promise<{ events: EventView[]; page: Page }> {
    return eventsPage(this.#deps.db, caller, selection, page)
  }

  deliveries(
    caller: Caller,
    selection: DeliverySelection,
    page: PageRequest,
  ): Promise<{ deliveries: object[]; page: Page }> {
    return deliveriesPage(this.#deps.db, caller, selection, page)
  }

  async redeliver(caller: Caller, deliveryId: string): Promise<{ delivery: object }> {
    const answer = await redeliver(this.#deps, caller, deliveryId)
    this.#delivering?.dispatcher.ask(caller.businessId)
    return answer
  }
}
