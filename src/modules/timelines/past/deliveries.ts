import { toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import type { TimelinesDependencies } from '../dependencies.ts'
import type { PastEntry } from './past-entry.ts'
import type { PastPage } from './past-page.ts'

/** Renders a page with the deliveries of its events. Deliveries are kept for 30 days. */
export async function withDeliveries(
  { webhooks }: TimelinesDependencies,
  tx: Tx,
  { entries, nextCursor }: PastPage<PastEntry>,
): Promise<PastPage<object>> {
  const eventIds = entries.flatMap(({ eventId }) => eventId ?? [])
  const deliveries = eventIds.length === 0 ? [] : await webhooks.deliveriesOfEvents(tx, eventIds)
  const ofEvents = Map.groupBy(deliveries, ({ eventId }) => eventId)
  return {
    nextCursor,
    entries: entries.map((entry) => ({
      at: toRfc3339(entry.at),
      kind: entry.kind,
      text: entry.text,
      object_id: entry.objectId,
      event_id: entry.eventId,
      request_id: entry.requestId,
      actor_id: entry.actorId,
      transaction_uuid: entry.transactionUuid,
      acquirer: entry.acquirer,
      deliveries: (ofEvents.get(entry.eventId ?? '') ?? []).map((delivery) => ({
        id: delivery.id,
        endpoint_id: delivery.endpointId,
        state: delivery.state,
        response_status: delivery.responseStatus,
      })),
      details: entry.details,
    })),
  }
}
