import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'
import type { PlanOrder } from '../model/plan.ts'
import { NEW_PLAN_ORDERS, PLAN_ORDERS } from './plan-order.table.ts'

const CHANGED = PLAN_ORDERS.only(
  'orderId',
  'state',
  'retriesExhausted',
  'attempts',
  'attemptTransaction',
  'attemptedAt',
  'nextAttemptAt',
  'blocked',
  'voidAt',
  'dunning',
)
const CHANGES = CHANGED.without('orderId').setFrom('c')
const changedOrders = CHANGED.rowsAs('c')

export async function updatePlanOrders(tx: Tx, orders: readonly PlanOrder[]): Promise<void> {
  if (orders.length === 0) return
  await tx.execute(sql`
    update recurring_orders o set ${CHANGES}
      from ${changedOrders(orders)}
     where o.business_id = ${tx.businessId} and o.order_id = c.order_id`)
}

export interface NewPlanOrder extends PlanOrder {
  readonly periodStart: Instant
}

export async function insertPlanOrders(tx: Tx, orders: readonly NewPlanOrder[]): Promise<void> {
  if (orders.length === 0) return
  await tx.execute(sql`
    insert into recurring_orders
           ${NEW_PLAN_ORDERS.values(
             tx.businessId,
             orders.map((order) => ({ ...order, creditMinor: order.credit.minor })),
           )}`)
}

const PAID_FIRST = PLAN_ORDERS.only('orderId', 'cyclePosition', 'counted', 'paidFirst')
const paidFirstOrders = PAID_FIRST.rowsAs('c')
const PAID_FIRST_CHANGES = PAID_FIRST.without('orderId').setFrom('c')

/** The order of a new cycle counts in that cycle once the change has taken place. */
export async function updatePaidFirst(tx: Tx, orders: readonly PlanOrder[]): Promise<void> {
  if (orders.length === 0) return
  await tx.execute(sql`
    update recurring_orders r set ${PAID_FIRST_CHANGES}
      from ${paidFirstOrders(orders)}
     where r.business_id = ${tx.businessId} and r.order_id = c.order_id`)
}

/** Returns those of `orderIds` that bill the period, the oldest first. The order of a change that was dropped bills nothing. */
export async function ordersOfPeriod(
  tx: Tx,
  planId: string,
  periodStart: Instant,
  orderIds: readonly string[],
): Promise<string[]> {
  if (orderIds.length === 0) return []
  const rows = await tx.query<{ order_id: string }>(sql`
    select order_id from recurring_orders
     where business_id = ${tx.businessId} and ${isOneOf(sql`order_id`, orderIds)} and plan_id = ${planId}
       and period_start = ${toRfc3339(periodStart)} and paid_first is distinct from 'dropped'
     order by suffix`)
  return rows.map((row) => row.order_id)
}

export interface OrderPeriod {
  readonly start: Instant
  readonly counted: boolean
  readonly creditGiven: bigint
}

export async function findOrderPeriods(
  tx: Tx,
  orderIds: readonly string[],
): Promise<Map<string, OrderPeriod>> {
  if (orderIds.length === 0) return new Map()
  const rows = await tx.query<{
    order_id: string
    period_start: Instant
    counted: boolean
    given: bigint
  }>(sql`
    select order_id, period_start, counted, coalesce(credit_given_minor, 0) as given from recurring_orders
     where business_id = ${tx.businessId} and ${isOneOf(sql`order_id`, orderIds)}`)
  return new Map(
    rows.map(
      ({ order_id: id, period_start: start, counted, given: creditGiven }) =>
        [id, { start, counted, creditGiven }] as const,
    ),
  )
}
