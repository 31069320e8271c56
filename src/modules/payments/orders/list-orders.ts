import type { Caller } from '#platform/caller'
import { filterCondition } from '#platform/filter/filter-condition'
import { type Page, type PageRequest, renderPage } from '#platform/http/validation/list'
import type { PaymentsContext } from '../context.ts'
import { listOrders, type ReadOrder } from '../storage/order-read.repository.ts'
import { ORDER_FIELDS } from '../storage/order-filter.ts'

export async function ordersOfPage(
  ctx: PaymentsContext,
  { businessId }: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<ReadOrder[]> {
  const { timeZone } = await ctx.businesses.profile(businessId)
  const condition = filter === undefined ? undefined : filterCondition(filter, ORDER_FIELDS, timeZone)
  return listOrders(ctx.db, businessId, condition, request)
}

export async function orderIdsPage(
  ctx: PaymentsContext,
  caller: Caller,
  filter: string,
  request: PageRequest,
): Promise<{ ids: string[]; page: Page }> {
  const found = await ordersOfPage(ctx, caller, filter, request)
  const { rows, page } = renderPage(
    request,
    found,
    ({ order }) => ({ at: order.createdAt, id: order.id }),
    ({ order: { id } }) => ({ id }),
  )
  return { ids: rows.map(({ id }) => id), page }
}
