import type { Webhooks } from '#modules/webhooks'
import type { Tx } from '#platform/postgres/database'
import type { TimelinesDependencies } from '../dependencies.ts'
import type { PastEntry } from './past-entry.ts'
import type { PastPage } from './past-page.ts'

export interface DeliveredEntry extends PastEntry {
  readonly deliveries: Awaited<ReturnType<Webhooks['deliveriesOfEvents']>>
}

/** Adds the deliveries of a page's events. Deliveries are kept for 30 days. */
export async function withDeliveries(
  { webhooks }: TimelinesDependencies,
  tx: Tx,
  { entries, nextCursor }: PastPage<PastEntry>,
): Promise<PastPage<DeliveredEntry>> {
  const eventIds = entries.flatMap(({ eventId }) => eventId ?? [])
  const deliveries = eventIds.length === 0 ? [] : await webhooks.deliveriesOfEvents(tx, eventIds)
  const ofEvents = Map.groupBy(deliveries, ({ eventId }) => eventId)
  return {
    nextCursor,
    entries: entries.map((entry) => ({ ...entry, deliveries: ofEvents.get(entry.eventId ?? '') ?? [] })),
  }
}
