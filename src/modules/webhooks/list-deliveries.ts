import { toRfc3339 } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import type { Database } from '#platform/database'
import { type Page, pageOf, type PageRequest } from '#platform/http/list'
import {
  type DeliveryRow,
  type DeliverySelection,
  listDeliveries as selectDeliveries,
} from './delivery.repository.ts'

/** The name that cursors of this list carry. */
export const DELIVERIES_LIST = 'deliveries'

/** Deliveries of the caller's business, newest first. */
export async function listDeliveries(
  db: Database,
  caller: Caller,
  selection: DeliverySelection,
  request: PageRequest,
): Promise<{ deliveries: object[]; page: Page }> {
  const found = await selectDeliveries(db, caller.businessId, selection, request)
  const { rows, page } = pageOf(DELIVERIES_LIST, request, found, (row) => ({ at: row.made_at, id: row.id }))
  return { deliveries: rows.map(renderDelivery), page }
}

/** As answers show it (decisions, section 11). */
export function renderDelivery(row: DeliveryRow): object {
  return {
    id: row.id,
    event_id: row.event_id,
    url: row.url,
    ...(row.endpoint_id !== null && { endpoint_id: row.endpoint_id }),
    state: row.state,
    attempts: JSON.parse(row.attempts) as object[],
    next_attempt_at: row.due_at === null ? null : toRfc3339(row.due_at),
  }
}
