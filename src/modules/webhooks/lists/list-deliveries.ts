import type { TimeZone } from '#kernel/time-zone'
import type { Caller } from '#platform/caller'
import { filterCondition } from '#platform/filter/filter-condition'
import { type Page, type PageRequest, renderPage } from '#platform/http/validation/list'
import type { WebhooksContext } from '../context.ts'
import {
  DELIVERY_FIELDS,
  type DeliveryWithEvent,
  listDeliveries,
  selectDeliveries,
} from '../storage/delivery.repository.ts'
import type { DeliveryState } from '../model/delivery.states.ts'

export interface DeliveriesFilter {
  readonly eventId: string | undefined
  readonly state: DeliveryState | undefined
  readonly filter?: string | undefined
}

export async function deliveriesOfPage(
  { db, businesses }: WebhooksContext,
  { businessId }: Caller,
  { eventId, state, filter }: DeliveriesFilter,
  request: PageRequest,
): Promise<DeliveryWithEvent[]> {
  const condition =
    filter === undefined
      ? undefined
      : filterCondition(filter, DELIVERY_FIELDS, (await businesses.profile(businessId)).timeZone)
  return listDeliveries(db, businessId, { eventId, state, condition }, request)
}

export interface DeliverySelection {
  readonly filter: string
  readonly timeZone: TimeZone
}

export async function deliveryIdsPage(
  { db }: WebhooksContext,
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
