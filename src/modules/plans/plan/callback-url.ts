import type { Tx } from '#platform/postgres/database'
import type { NewEvent } from '#platform/events/events'
import { callbackUrls } from '../storage/callback.repository.ts'

/**
 * Finds the plans' `callback_url` for events of plans and of their orders, by plan id and order number. The events of an
 * order that is being created carry the URL themselves: its row in `recurring_orders` is written after them.
 */
export async function callbackUrlsOf(tx: Tx, events: readonly NewEvent[]): Promise<Map<string, string>> {
  const objectIds = events.filter(concernsPlan).map((event) => event.objectId)
  if (objectIds.length === 0) return new Map()
  const urls = await callbackUrls(tx, objectIds)
  for (const { objectId, callbackUrl } of events) {
    if (callbackUrl !== undefined) urls.set(objectId, callbackUrl)
  }
  return urls
}

function concernsPlan({ data }: NewEvent): boolean {
  if ('plan' in data) return true
  const order: unknown = 'order' in data ? data.order : undefined
  return typeof order === 'object' && order !== null && 'type' in order && order.type === 'recurring'
}
