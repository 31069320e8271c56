import type { Caller } from '#platform/caller'
import type { PageRequest } from '#platform/http/validation/list'
import type { WebhooksContext } from '../context.ts'
import { errors } from '../errors.ts'
import { type EventFilter, type EventRow, findEvent, listEvents } from '../storage/event.repository.ts'

export function eventsOfPage(
  { db }: WebhooksContext,
  { businessId }: Caller,
  filter: EventFilter,
  request: PageRequest,
): Promise<EventRow[]> {
  return listEvents(db, businessId, filter, request)
}

export async function eventOfObject(
  { db }: WebhooksContext,
  { businessId }: Caller,
  objectId: string,
  id: string,
): Promise<EventRow> {
  const event = await findEvent(db, businessId, objectId, id)
  if (event === undefined) throw errors.event_not_found()
  return event
}
