import type { Static } from 'typebox'
import { rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import type { NextEntry } from '../next/next-entry.ts'
import type { DeliveredEntry } from '../past/deliveries.ts'
import type { ActorNames, Timeline } from '../read-timeline.ts'
import type { NextEntrySchema, PastEntrySchema, TimelineData } from './schemas.ts'

export function renderTimeline({ past, next, names }: Timeline): Static<typeof TimelineData> {
  return {
    timeline: {
      past: past.entries.map((entry) => renderPast(entry, names)),
      next: next.map((entry) => renderNext(entry, names)),
      next_cursor: past.nextCursor,
    },
  }
}

function renderPast(entry: DeliveredEntry, names: ActorNames): Static<typeof PastEntrySchema> {
  return {
    at: toRfc3339(entry.at),
    kind: entry.kind,
    text: entry.text,
    object_id: entry.objectId,
    event_id: entry.eventId,
    request_id: entry.requestId,
    actor_id: entry.actorId,
    actor_name: names.get(entry.actorId ?? '') ?? null,
    transaction_uuid: entry.transactionUuid,
    acquirer: entry.acquirer,
    deliveries: entry.deliveries.map((delivery) => ({
      id: delivery.id,
      endpoint_id: delivery.endpointId,
      state: delivery.state,
      response_status: delivery.responseStatus,
    })),
    details: entry.details,
  }
}

function renderNext(entry: NextEntry, names: ActorNames): Static<typeof NextEntrySchema> {
  return {
    at: rfc3339OrNull(entry.at),
    kind: entry.kind,
    text: entry.text,
    reason: entry.reason,
    reason_code: entry.reasonCode,
    object_id: entry.objectId ?? null,
    actor_id: entry.actorId ?? null,
    actor_name: names.get(entry.actorId ?? '') ?? null,
    transaction_uuid: entry.transactionUuid ?? null,
    attempt: entry.attempt ?? null,
    attempts_total: entry.attemptsTotal ?? null,
    amount: entry.amount ?? null,
    currency: entry.amount?.currency ?? null,
    details: entry.details ?? {},
  }
}
