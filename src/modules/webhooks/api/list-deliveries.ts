import { rfc3339OrNull } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import type { Database } from '#platform/postgres/database'
import { isReadable } from '#platform/events/event-documents'
import { type Page, pageOf, type PageRequest } from '#platform/http/validation/list'
import { type Attempt, shownText } from '../delivery/delivery.ts'
import {
  type DeliveryOfEvent,
  type DeliverySelection,
  listDeliveries,
} from '../storage/delivery.repository.ts'
import { bodyOf, headersOf } from '../delivery/message.ts'

/** Deliveries of the caller's business, newest first. */
export async function deliveriesPage(
  db: Database,
  caller: Caller,
  selection: DeliverySelection,
  request: PageRequest,
): Promise<{ deliveries: object[]; page: Page }> {
  const found = await listDeliveries(db, caller.businessId, selection, request)
  const { rows, page } = pageOf(request, found, (row) => ({ at: row.made_at, id: row.id }))
  return { deliveries: rows.map(renderDelivery), page }
}

/** As answers show it (decisions, section 11). */
export function renderDelivery(row: DeliveryOfEvent): object {
  const attempts = JSON.parse(row.attempts) as Attempt[]
  return {
    id: row.id,
    event_id: row.event_id,
    url: row.url,
    ...(row.endpoint_id !== null && { endpoint_id: row.endpoint_id }),
    state: row.state,
    request: requestOf(row, attempts.at(-1)),
    attempts,
    next_attempt_at: rfc3339OrNull(row.due_at),
  }
}

/**
 * What was posted, from the event: attempts differ in their `webhook-timestamp` only, and the last one's
 * is shown. The signature proves to a receiver who sent a message, so it is nobody else's to read.
 */
function requestOf(row: DeliveryOfEvent, last: Attempt | undefined): object | null {
  if (last === undefined || !isReadable(row)) return null
  const { 'webhook-timestamp': timestamp, ...headers } = headersOf(row.event_id, last.webhook_timestamp ?? 0)
  return {
    method: 'POST',
    url: row.url,
    headers: {
      ...headers,
      ...(last.webhook_timestamp !== undefined && { 'webhook-timestamp': timestamp }),
      'webhook-signature': '[redacted]',
    },
    body: shownText(bodyOf(row).toString()),
  }
}
