import { newId } from '#kernel/ids'
import { realClock } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { scheduleJob } from '#platform/jobs/jobs'
import type { AppendedEvent, NewEvent } from '#platform/events/events'
import { laneOf } from '../delivery/delivery.ts'
import { DELIVERIES, PURGE } from '../job-kinds.ts'
import { HANDOVER_MS, KEPT_DAYS } from '../storage/due-times.ts'
import { insertDeliveries, type NewDelivery } from '../storage/queue.repository.ts'
import { activeEndpoints } from '../storage/endpoint.repository.ts'
import type { ReceiverSource } from '../dependencies.ts'

type ActiveEndpoints = ReturnType<typeof activeEndpoints>

/** What was read of a transaction's business. Kept with the transaction, and so gone with it. */
const receivers = new WeakMap<Tx, ActiveEndpoints>()

/** Asks who receives the events that this transaction will write; once is enough. */
export function findReceivers(tx: Tx): ActiveEndpoints {
  const known = receivers.get(tx)
  if (known !== undefined) return known
  const found = activeEndpoints(tx)
  receivers.set(tx, found)
  tx.defer(found)
  return found
}

/**
 * Writes one delivery for each event and receiver, in the transaction of the events: either both are
 * there or neither. Answers how many. Where nobody listens it is one look-up beside what the sources
 * ask for.
 */
export async function fanOut(
  tx: Tx,
  events: readonly NewEvent[],
  appended: Promise<readonly AppendedEvent[]>,
  sources: readonly ReceiverSource[],
): Promise<number> {
  const [endpoints, ...urls] = await Promise.all([
    findReceivers(tx),
    ...sources.map((source) => source.receiversOf(tx, events)),
  ])
  if (endpoints.length === 0 && urls.every((found) => found.size === 0)) return 0
  const deliveries = (await appended).flatMap((event) => [
    ...endpoints
      .filter(({ types }) => types.length === 0 || types.includes(event.type))
      .map((endpoint) => newDelivery(event, endpoint.url, endpoint.id)),
    ...[...urlsOf(event, urls)].map((url) => newDelivery(event, url, null)),
  ])
  if (deliveries.length === 0) return 0
  const realNow = realClock.now()
  await insertDeliveries(tx, deliveries, realNow)
  await scheduleJob(tx, DELIVERIES, realNow.add({ milliseconds: HANDOVER_MS }), 'real')
  await scheduleJob(tx, PURGE, realNow.add({ hours: 24 * KEPT_DAYS }), 'real')
  return deliveries.length
}

/** What is no URL is left out: a payment must not fail for want of a receiver. */
function urlsOf(event: AppendedEvent, found: readonly ReadonlyMap<string, string>[]): Set<string> {
  const urls = found.flatMap((ofSource) => ofSource.get(event.objectId) ?? [])
  return new Set(urls.filter((url) => URL.canParse(url)))
}

function newDelivery(event: AppendedEvent, url: string, endpointId: string | null): NewDelivery {
  return {
    id: newId('dlv'),
    eventId: event.id,
    objectId: event.objectId,
    sequence: event.sequence,
    url,
    lane: laneOf(url),
    endpointId,
  }
}
