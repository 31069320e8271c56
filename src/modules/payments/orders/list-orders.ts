import sql from 'sql-template-tag'
import type { Caller } from '#platform/caller'
import { filterCondition } from '#platform/filter/filter-condition'
import type { FilterFields } from '#platform/filter/filter-sql'
import { minorPerUnit, narrowAmount } from '#platform/filter/minor-units'
import { type PageRequest, renderPage } from '#platform/http/validation/list'
import type { PaymentsContext } from '../context.ts'
import { CORRESPONDENCE_STATES } from '../model/order.ts'
import { ORDER_STATES } from '../model/order.states.ts'
import { listOrders } from '../storage/order.repository.ts'
import { renderOrder } from '../api/render.ts'

/** The states in the column `closed_state`. Nearly all orders are in one of the others. */
const CLOSED_STATES = new Set(['refunded', 'voided', 'expired'])

export const ORDER_FIELDS: FilterFields = {
  number: { type: 'text', column: sql`o.id`, prefix: true },
  reference_number: { type: 'text', column: sql`o.reference_number`, prefix: true },
  state: {
    type: 'enum',
    column: sql`o.state`,
    values: Object.keys(ORDER_STATES),
    narrow: (state) => (CLOSED_STATES.has(state) ? sql`o.closed_state = ${state}` : undefined),
  },
  correspondence_state: {
    type: 'enum',
    column: sql`(case when o.paid_total_minor > o.initial_total_minor then 'over_paid'
                      when o.paid_total_minor = o.initial_total_minor then 'paid'
                      when o.paid_total_minor = 0 then 'unpaid' else 'partial_paid' end)`,
    values: CORRESPONDENCE_STATES,
  },
  currency: { type: 'text', column: sql`o.currency` },
  initial_total: {
    type: 'decimal',
    column: sql`(o.initial_total_minor / ${minorPerUnit(sql`o.currency`)})`,
    narrow: narrowAmount(sql`o.amount_key`),
  },
  created_at: { type: 'time', column: sql`o.created_at` },
  'customer.uuid': { type: 'text', column: sql`o.customer_uuid` },
}

export async function ordersPage(
  ctx: PaymentsContext,
  caller: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<object> {
  const { timeZone } = await ctx.businesses.profile(caller.businessId)
  const condition = filter === undefined ? undefined : filterCondition(filter, ORDER_FIELDS, timeZone)
  const orders = await listOrders(ctx.db, caller.businessId, condition, request)
  const { rows, page } = renderPage(
    request,
    orders,
    ({ order }) => ({ at: order.createdAt, id: order.id }),
    ({ order, transactions, now }) => renderOrder(order, transactions, now),
  )
  return { orders: rows, page }
}
