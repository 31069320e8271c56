import { toRfc3339 } from '#kernel/clock'
import { rawNumber } from '#kernel/json'
import type { Caller } from '#platform/caller'
import type { Database } from '#platform/postgres/database'
import { type Page, type PageRequest, renderPage } from '#platform/http/validation/list'
import {
  type EventRow,
  type EventFilter,
  findEvent,
  listEvents,
  sequenceKey,
} from '../storage/event.repository.ts'
import { errors } from './errors.ts'

export interface EventView {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly sequence: number
  readonly object_id: string
  readonly data: unknown
}

export async function eventsPage(
  db: Database,
  caller: Caller,
  filter: EventFilter,
  request: PageRequest,
): Promise<{ events: EventView[]; page: Page }> {
  const list = await listEvents(db, caller.businessId, filter, request)
  const keyOf = (row: EventRow) =>
    filter.objectId === undefined ? { at: row.timestamp, id: row.id } : sequenceKey(row)
  const { rows, page } = renderPage(request, list, keyOf, renderEvent)
  return { events: rows, page }
}

export async function eventOfObject(
  db: Database,
  caller: Caller,
  objectId: string,
  id: string,
): Promise<{ event: EventView }> {
  const row = await findEvent(db, caller.businessId, objectId, id)
  if (row === undefined) throw errors.event_not_found()
  return { event: renderEvent(row) }
}

function renderEvent(row: EventRow): EventView {
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
