import { rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import type { TimeZone } from '#kernel/time-zone'
import type { Caller } from '#platform/caller'
import { filterCondition } from '#platform/filter/filter-condition'
import type { Database } from '#platform/postgres/database'
import { isReadable } from '#platform/events/event-documents'
import { type Page, type PageRequest, renderPage } from '#platform/http/validation/list'
import { type Attempt, redactedPreview } from '../delivery/delivery.ts'
import { type DeliveryWithEvent, listDeliveries, selectDeliveries } from '../storage/delivery.repository.ts'
import type { DeliveryState } from '../delivery/delivery.states.ts'
import { bodyOf, headersOf } from '../delivery/message.ts'
import type { WebhooksDependencies } from '../dependencies.ts'
import { DELIVERY_FIELDS } from './delivery-fields.ts'

export interface DeliveriesFilter {
  readonly eventId: string | undefined
  readonly state: DeliveryState | undefined
  readonly filter?: string | undefined
}

export async function deliveriesPage(
  { db, businesses }: Pick<WebhooksDependencies, 'db' | 'businesses'>,
  { businessId }: Caller,
  { eventId, state, filter }: DeliveriesFilter,
  request: PageRequest,
): Promise<{ deliveries: object[]; page: Page }> {
  const condition =
    filter === undefined
      ? undefined
      : filterCondition(filter, DELIVERY_FIELDS, (await businesses.profile(businessId)).timeZone)
  const list = await listDeliveries(db, businessId, { eventId, state, condition }, request)
  const { rows, page } = renderPage(
    request,
    list,
    (row) => ({ at: row.created_at, id: row.id }),
    renderDelivery,
  )
  return { deliveries: rows, page }
}

export interface DeliverySelection {
  readonly filter: string
  readonly timeZone: TimeZone
}

export async function deliveryIdsPage(
  db: Database,
  { businessId }: Caller,
  { filter, timeZone }: DeliverySelection,
  request: PageRequest,
): Promise<{ ids: string[]; page: Page }> {
  const condition = filterCondition(filter, DELIVERY_FIELDS, timeZone)
  const found = await selectDeliveries(db, businessId, condition, request)
  const { rows, page } = renderPage(
    request,
    found,
    (row) => ({ at: row.created_at, id: row.id }),
    ({ id }) => ({ id }),
  )
  return { ids: rows.map(({ id }) => id), page }
}

export function renderDelivery(row: DeliveryWithEvent): object {
  const attempts = JSON.parse(row.attempts) as Attempt[]
  return {
    id: row.id,
    event_id: row.event_id,
    event_type: row.type,
    object_id: row.object_id,
    url: row.url,
    ...(row.endpoint_id !== null && { endpoint_id: row.endpoint_id }),
    state: row.state,
    request: requestOf(row, attempts.at(-1)),
    attempts,
    next_attempt_at: rfc3339OrNull(row.due_at),
    created_at: toRfc3339(row.created_at),
  }
}

/**
 * The last request. All attempts post the same body and differ only in `webhook-timestamp`. The signature is withheld,
 * because a reader could replay the message with it.
 */
function requestOf(row: DeliveryWithEvent, last: Attempt | undefined): object | null {
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
    body: redactedPreview(bodyOf(row).toString()),
  }
}
