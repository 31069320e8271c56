import { randomBytes } from 'node:crypto'
import type { Static } from 'typebox'
import { pino } from 'pino'
import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import { Egress } from '#platform/security/egress'
import { type NewEvent, EventLog } from '#platform/events/events'
import { cleanUp } from '#platform/testing/clean-up'
import { runClock } from '#platform/testing/clock'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { createTestKeyring } from '#platform/testing/keyring'
import type { ReceiverSource, WebhooksDependencies } from '../dependencies.ts'
import { newSigningSecret } from '#platform/security/standard-webhooks'
import {
  renderDeletedEndpoint,
  renderDeliveriesPage,
  renderDeliveryData,
  renderEndpointsPage,
  renderEventData,
  renderEventsPage,
  renderShownEndpoint,
} from '../api/render.ts'
import type { DeliverySchema } from '../api/schemas.ts'
import type { WebhooksContext } from '../context.ts'
import { deliveriesOfPage, type DeliveriesFilter } from '../lists/list-deliveries.ts'
import { createEndpoint } from '../endpoints/create-endpoint.ts'
import { deleteEndpoint } from '../endpoints/delete-endpoint.ts'
import { endpointsOfPage } from '../lists/list-endpoints.ts'
import { rotateSecret } from '../endpoints/rotate-secret.ts'
import type { EventType } from '../model/event-types.ts'
import { eventOfObject, eventsOfPage } from '../lists/list-events.ts'
import { contextOf, onClockMoved } from '../module.ts'
import { observeEvents } from '../queue/fan-out.ts'
import { redeliver } from '../queue/redeliver.ts'
import type { EventFilter } from '../storage/event.repository.ts'
import type { PageRequest } from '#platform/http/validation/list'
import { rendered } from '#platform/testing/requests'

function webhooksOf(ctx: WebhooksContext) {
  const bind =
    <Args extends unknown[], Result>(useCase: (ctx: WebhooksContext, ...args: Args) => Result) =>
    (...args: Args): Result =>
      useCase(ctx, ...args)
  return {
    start: () => ctx.worker.start(),
    createEndpoint: rendered(bind(createEndpoint), renderShownEndpoint),
    deleteEndpoint: rendered(bind(deleteEndpoint), renderDeletedEndpoint),
    rotateSecret: rendered(bind(rotateSecret), renderShownEndpoint),
    redeliver: rendered(bind(redeliver), renderDeliveryData),
    event: rendered(bind(eventOfObject), renderEventData),
    endpoints: async (caller: Caller, filter: string | undefined, request: PageRequest) =>
      renderEndpointsPage(request, await endpointsOfPage(ctx, caller, filter, request)),
    events: async (caller: Caller, filter: EventFilter, request: PageRequest) =>
      renderEventsPage(filter, request, await eventsOfPage(ctx, caller, filter, request)),
    deliveries: async (caller: Caller, filter: DeliveriesFilter, request: PageRequest) =>
      renderDeliveriesPage(request, await deliveriesOfPage(ctx, caller, filter, request)),
  }
}

type Delivery = Static<typeof DeliverySchema>

class StubReceiverSource implements ReceiverSource {
  readonly urls = new Map<string, string>()

  async receiversOf(_tx: unknown, events: readonly NewEvent[]): Promise<ReadonlyMap<string, string>> {
    const urls = new Map<string, string>()
    for (const { objectId } of events) {
      const url = this.urls.get(objectId)
      if (url !== undefined) urls.set(objectId, url)
    }
    return urls
  }
}

export async function createFixture(
  options: Partial<Pick<WebhooksDependencies, 'egress' | 'timeoutMs'>> = {},
) {
  const database = await createTestDatabase()
  const { db } = database
  const encryptionKey = randomBytes(32)
  const { keyring, rotateKeys } = createTestKeyring(encryptionKey)
  const egress = new Egress({ allowPrivate: true })
  const source = new StubReceiverSource()
  const businessSecret = newSigningSecret()
  const deps: WebhooksDependencies = {
    db,
    events: new EventLog(),
    egress,
    keyring,
    businesses: {
      webhookSecrets: async () => [businessSecret],
      profile: async () => ({ timeZone: 'Asia/Hong_Kong' }),
    },
    sources: [source],
    log: pino({ level: 'warn' }),
    onFailure: () => {},
    ...options,
  }
  const ctx = contextOf(deps)
  observeEvents(ctx)
  const webhooks = webhooksOf(ctx)
  cleanUp(async () => {
    await ctx.worker.stop()
    await egress.close()
  })

  const append = (tx: Tx, objectIds: readonly string[], type = 'order.updated', data?: object) =>
    deps.events.append(
      tx,
      objectIds.map((objectId) => ({
        type,
        objectId,
        timestamp: tx.now,
        data: data ?? { order: { number: objectId, state: 'open' } },
      })),
    )

  const publish = (businessId: string, objectIds: readonly string[], type?: string, data?: object) =>
    db.transact(businessId, (tx) => append(tx, objectIds, type, data))

  const moveClock = async (businessId: string, by: Temporal.DurationLike): Promise<void> => {
    await runClock(db, businessId, by)
    await db.transact(businessId, onClockMoved)
  }

  const deliveries = async (caller: Caller): Promise<Delivery[]> => {
    const all: Delivery[] = []
    for (let offset = 0, hasMore = true; hasMore; offset = all.length) {
      const request = { list: 'deliveries', offset, limit: 1_000, after: undefined }
      const list = await webhooks.deliveries(caller, { eventId: undefined, state: undefined }, request)
      all.push(...list.deliveries)
      hasMore = list.page.has_more
    }
    return all.toReversed()
  }

  const register = async (caller: Caller, url: string, types?: readonly EventType[]) => {
    const { endpoint } = await webhooks.createEndpoint(caller, { url, types })
    return endpoint
  }

  return {
    ...database,
    deps,
    encryptionKey,
    keyring,
    rotateKeys,
    webhooks,
    source,
    businessSecret,
    append,
    publish,
    moveClock,
    deliveries,
    register,
    business: (offset?: { offsetMs: number }) => createTestBusiness(database, offset),
  }
}
