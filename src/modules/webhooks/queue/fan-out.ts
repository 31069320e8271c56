import { newId } from '#kernel/ids'
import { realClock } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { scheduleJob } from '#platform/jobs/jobs'
import type { AppendedEvent, NewEvent } from '#platform/events/events'
import { receiverKey } from '../model/receiver-key.ts'
import { DELIVERIES, PURGE } from '../job-names.ts'
import { HANDOVER_MS, PURGE_DAYS } from '../model/timings.ts'
import { insertDeliveries, type NewDelivery } from '../storage/queue.repository.ts'
import { type ActiveEndpoint, activeEndpoints } from '../storage/endpoint.repository.ts'
import type { WebhooksContext } from '../context.ts'
import type { ReceiverSource } from '../dependencies.ts'

/** Nearly every transaction that writes a delivery has committed by then. */
export const COMMIT_MS = 10

export function observeEvents(ctx: WebhooksContext): void {
  ctx.events.observe((tx) => {
    const endpoints = activeEndpoints(tx)
    tx.defer(endpoints)
    return async (events, appended) => {
      const written = await fanOut(tx, events, appended, { endpoints, sources: ctx.sources })
      if (written > 0) ctx.worker.scheduleClaim(tx.businessId, COMMIT_MS)
    }
  })
}

/**
 * Writes one delivery for each event and receiver in the events' own transaction. A business without receivers pays for
 * one look-up.
 * @returns how many deliveries were written
 */
async function fanOut(
  tx: Tx,
  events: readonly NewEvent[],
  appended: () => Promise<readonly AppendedEvent[]>,
  receivers: {
    readonly endpoints: Promise<readonly ActiveEndpoint[]>
    readonly sources: readonly ReceiverSource[]
  },
): Promise<number> {
  const [endpoints, ...urlsBySource] = await Promise.all([
    receivers.endpoints,
    ...receivers.sources.map((source) => source.receiversOf(tx, events)),
  ])
  if (endpoints.length === 0 && urlsBySource.every((urls) => urls.size === 0)) return 0
  const deliveries = (await appended()).flatMap((event) => [
    ...endpoints
      .filter(({ types }) => types.length === 0 || types.some((type) => type === event.type))
      .map(({ id, url }) => newDelivery(event, url, id)),
    ...[...urlsOf(event, urlsBySource)].map((url) => newDelivery(event, url, null)),
  ])
  if (deliveries.length === 0) return 0
  const realNow = realClock.now()
  // Nothing here awaits them, so they are sent together with COMMIT.
  tx.defer(insertDeliveries(tx, deliveries, realNow))
  tx.defer(scheduleJob(tx, DELIVERIES, realNow.add({ milliseconds: HANDOVER_MS }), 'real'))
  tx.defer(scheduleJob(tx, PURGE, realNow.add({ hours: 24 * PURGE_DAYS }), 'real'))
  return deliveries.length
}

/** Skips an invalid URL: a payment must not fail because of its receiver. */
function urlsOf(event: AppendedEvent, urlsBySource: readonly ReadonlyMap<string, string>[]): Set<string> {
  const urls = urlsBySource.flatMap((byObject) => byObject.get(event.objectId) ?? [])
  return new Set(urls.filter((url) => URL.canParse(url)))
}

function newDelivery(event: AppendedEvent, url: string, endpointId: string | null): NewDelivery {
  return {
    id: newId('dlv'),
    eventId: event.id,
    objectId: event.objectId,
    sequence: event.sequence,
    url,
    receiver: receiverKey(url),
    endpointId,
  }
}
