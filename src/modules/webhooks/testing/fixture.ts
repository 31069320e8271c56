import { randomBytes } from 'node:crypto'
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
import { Webhooks } from '../webhooks.ts'

export interface DeliveryView {
  id: string
  event_id: string
  url: string
  state: string
  request: { method: string; url: string; headers: Record<string, string>; body: string } | null
  attempts: {
    at: string
    status: number | null
    error?: string
    duration_ms: number
    webhook_timestamp?: number
    answer?: string
  }[]
  next_attempt_at: string | null
}

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
  const webhooks = new Webhooks(deps)
  cleanUp(async () => {
    await webhooks.stop()
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
    await db.transact(businessId, (tx) => webhooks.onClockMoved(tx))
  }

  const deliveries = async (caller: Caller): Promise<DeliveryView[]> => {
    const all: object[] = []
    for (let offset = 0, hasMore = true; hasMore; offset = all.length) {
      const request = { list: 'deliveries', offset, limit: 1_000, after: undefined }
      const list = await webhooks.deliveries(caller, { eventId: undefined, state: undefined }, request)
      all.push(...list.deliveries)
      hasMore = list.page.has_more
    }
    return (all as DeliveryView[]).toReversed()
  }

  const register = async (caller: Caller, url: string, types?: readonly string[]) => {
    const { endpoint } = await webhooks.createEndpoint(caller, { url, types })
    return endpoint as { id: string; url: string; types: string[]; secret: string; state: string }
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
