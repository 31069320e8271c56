import type { Tx } from '#platform/database'
import type { AppendedEvent } from '#platform/events'
import { callbackUrls } from './callback.repository.ts'

/** The plans' `callback_url` for events of plans and of their orders, by plan id and order number. */
export async function callbackUrlsOf(tx: Tx, events: readonly AppendedEvent[]): Promise<Map<string, string>> {
  const objectIds = events.filter(isOfPlan).map((event) => event.objectId)
  return objectIds.length === 0 ? new Map() : callbackUrls(tx, objectIds)
}

/** Events of other orders, most of all events there are, cost no look-up. */
function isOfPlan({ data }: AppendedEvent): boolean {
  if ('plan' in data) return true
  const order: unknown = 'order' in data ? data.order : undefined
  return typeof order === 'object' && order !== null && 'type' in order && order.type === 'recurring'
}
