import type { Static } from 'typebox'
import { rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { rawNumber } from '#kernel/json'
import { isReadable } from '#platform/events/event-documents'
import { byCreation, type PageRequest, renderPage } from '#platform/http/validation/list'
import { redactedPreview } from '../delivery/delivery.ts'
import type { Attempt } from '../model/attempt.ts'
import { bodyOf, headersOf } from '../delivery/message.ts'
import type { Endpoint } from '../model/endpoint.ts'
import type { ShownEndpoint } from '../endpoints/with-secret.ts'
import type { DeliveryWithEvent } from '../storage/delivery.repository.ts'
import { type EventFilter, type EventRow, sequenceKey } from '../storage/event.repository.ts'
import type {
  DeliveryData,
  DeliverySchema,
  EndpointData,
  EndpointSchema,
  EndpointWithSecretData,
  EventData,
  EventSchema,
} from './schemas.ts'

export function renderDeletedEndpoint(endpoint: Endpoint): Static<typeof EndpointData> {
  return { endpoint: { ...renderEndpoint(endpoint), state: 'deleted' } }
}

export function renderShownEndpoint({
  endpoint,
  secret,
}: ShownEndpoint): Static<typeof EndpointWithSecretData> {
  return { endpoint: { ...renderEndpoint(endpoint), secret } }
}

export function renderEndpointsPage(request: PageRequest, found: readonly Endpoint[]) {
  const { rows, page } = renderPage(request, found, byCreation, renderEndpoint)
  return { endpoints: rows, page }
}

function renderEndpoint(endpoint: Endpoint): Static<typeof EndpointSchema> {
  return {
    id: endpoint.id,
    url: endpoint.url,
    types: [...endpoint.types],
    state: endpoint.state,
    created_at: toRfc3339(endpoint.createdAt),
  }
}

export function renderEventData(event: EventRow): Static<typeof EventData> {
  return { event: renderEvent(event) }
}

export function renderEventsPage(
  { objectId }: EventFilter,
  request: PageRequest,
  found: readonly EventRow[],
) {
  const keyOf = (row: EventRow) =>
    objectId === undefined ? { at: row.timestamp, id: row.id } : sequenceKey(row)
  const { rows, page } = renderPage(request, found, keyOf, renderEvent)
  return { events: rows, page }
}

function renderEvent(row: EventRow): Static<typeof EventSchema> {
  return {
    id: row.id,
    type: row.type,
    timestamp: toRfc3339(row.timestamp),
    sequence: row.sequence,
    object_id: row.object_id,
    data: row.data === null ? {} : parseKeepingDigits(row.data),
  }
}

function parseKeepingDigits(text: string): unknown {
  return JSON.parse(text, (_member, value: unknown, context) =>
    typeof value === 'number' && context.source !== undefined ? rawNumber(context.source) : value,
  )
}

export function renderDeliveryData(delivery: DeliveryWithEvent): Static<typeof DeliveryData> {
  return { delivery: renderDelivery(delivery) }
}

export function renderDeliveriesPage(request: PageRequest, found: readonly DeliveryWithEvent[]) {
  const keyOf = (row: DeliveryWithEvent) => ({ at: row.created_at, id: row.id })
  const { rows, page } = renderPage(request, found, keyOf, renderDelivery)
  return { deliveries: rows, page }
}

function renderDelivery(row: DeliveryWithEvent): Static<typeof DeliverySchema> {
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
function requestOf(
  row: DeliveryWithEvent,
  last: Attempt | undefined,
): Static<typeof DeliverySchema>['request'] {
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
