import { type Instant, realClock } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import { type Job, JobRunner, scheduleJob } from '#platform/jobs/jobs'
import type { Page, PageRequest } from '#platform/http/validation/list'
import { createEndpoint } from './endpoints/create-endpoint.ts'
import { deleteEndpoint } from './endpoints/delete-endpoint.ts'
import { deliveriesOfEvents, type DeliveryOfEvent } from './storage/delivery.repository.ts'
import { Dispatcher } from './queue/dispatcher.ts'
import { deliveryJob, purgeJob } from './jobs.ts'
import { DELIVERIES } from './job-names.ts'
import { fanOut } from './queue/fan-out.ts'
import { activeEndpoints, type FailingReceiver, findFailingReceivers } from './storage/endpoint.repository.ts'
import {
  type DeliveriesFilter,
  deliveriesPage,
  deliveryIdsPage,
  type DeliverySelection,
} from './api/list-deliveries.ts'
import { endpointsPage } from './api/list-endpoints.ts'
import { eventOfObject, type EventView, eventsPage } from './api/list-events.ts'
import type { WebhooksDependencies } from './dependencies.ts'
import { previewRedelivery, redeliver } from './queue/redeliver.ts'
import type { EventFilter } from './storage/event.repository.ts'
import { rotateSecret } from './endpoints/rotate-secret.ts'

/** Nearly every transaction that writes a delivery has committed by then. */
const COMMIT_MS = 10
const CONCURRENT_CLAIMS = 4
const POLL_MS = 50

export class Webhooks {
  readonly #deps: WebhooksDependencies
  #delivering: { dispatcher: Dispatcher; runner: JobRunner } | undefined
  readonly jobs: readonly Job[]

  constructor(deps: WebhooksDependencies) {
    this.#deps = deps
    this.jobs = [purgeJob(deps.db)]
    deps.events.observe((tx) => {
      const endpoints = activeEndpoints(tx)
      tx.defer(endpoints)
      return async (events, appended) => {
        const written = await fanOut(tx, events, appended, { endpoints, sources: deps.sources })
        if (written > 0) this.#delivering?.dispatcher.scheduleClaim(tx.businessId, COMMIT_MS)
      }
    })
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

  async stop(): Promise<void> {
    const delivering = this.#delivering
    this.#delivering = undefined
    await delivering?.runner.stop()
    await delivering?.dispatcher.stop()
  }

  /** Call this in the transaction that moves a business's clock, because retries may be due. */
  async onClockMoved(tx: Tx): Promise<void> {
    await scheduleJob(tx, DELIVERIES, realClock.now(), 'real')
  }

  createEndpoint(
    caller: Caller,
    endpoint: { readonly url: string; readonly types?: readonly string[] | undefined },
  ): Promise<{ endpoint: object }> {
    return createEndpoint(this.#deps, caller, endpoint)
  }

  endpoints(
    caller: Caller,
    filter: string | undefined,
    page: PageRequest,
  ): Promise<{ endpoints: object[]; page: Page }> {
    return endpointsPage(this.#deps, caller, filter, page)
  }

  deleteEndpoint(caller: Caller, id: string): Promise<{ endpoint: object }> {
    return deleteEndpoint(this.#deps, caller, id)
  }

  rotateSecret(caller: Caller, endpointId: string): Promise<{ endpoint: object }> {
    return rotateSecret(this.#deps, caller, endpointId)
  }

  events(
    caller: Caller,
    filter: EventFilter,
    page: PageRequest,
  ): Promise<{ events: EventView[]; page: Page }> {
    return eventsPage(this.#deps.db, caller, filter, page)
  }

  event(caller: Caller, objectId: string, id: string): Promise<{ event: EventView }> {
    return eventOfObject(this.#deps.db, caller, objectId, id)
  }

  deliveries(
    caller: Caller,
    filter: DeliveriesFilter,
    page: PageRequest,
  ): Promise<{ deliveries: object[]; page: Page }> {
    return deliveriesPage(this.#deps, caller, filter, page)
  }

  failingReceivers(tx: Tx, since: Instant, limit: number): Promise<FailingReceiver[]> {
    return findFailingReceivers(tx, since, limit)
  }

  deliveriesOfEvents(tx: Tx, eventIds: readonly string[]): Promise<DeliveryOfEvent[]> {
    return deliveriesOfEvents(tx, eventIds)
  }

  deliveryIds(
    caller: Caller,
    selection: DeliverySelection,
    page: PageRequest,
  ): Promise<{ ids: string[]; page: Page }> {
    return deliveryIdsPage(this.#deps.db, caller, selection, page)
  }

  previewRedelivery(caller: Caller, deliveryId: string): Promise<void> {
    return previewRedelivery(this.#deps, caller, deliveryId)
  }

  async redeliver(caller: Caller, deliveryId: string): Promise<{ delivery: object }> {
    const response = await redeliver(this.#deps, caller, deliveryId)
    this.#delivering?.dispatcher.scheduleClaim(caller.businessId)
    return response
  }
}
