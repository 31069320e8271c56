import type { NewEvent } from '#platform/events/events'

/** The `notify_url` of orders by number, read from their events, so that no order has to be loaded. */
export function notifyUrls(events: readonly NewEvent[]): Map<string, string> {
  const urls = new Map<string, string>()
  for (const { objectId, data } of events) {
    const url = 'order' in data && isOrder(data.order) ? data.order.notify_url : undefined
    if (url !== undefined) urls.set(objectId, url)
  }
  return urls
}

function isOrder(value: unknown): value is { readonly notify_url?: string } {
  return typeof value === 'object' && value !== null
}
