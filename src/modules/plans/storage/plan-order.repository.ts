import sql from 'sql-template-tag'
import { type Instant, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { type Columns, isOneOf, rowsAs } from '#platform/postgres/rows'
import type { PlanOrder } from '../model/plan.ts'
import { storedProgress } from '#modules/catalogue'

const COLLECTION: Columns<PlanOrder> = {
  order_id: ['text', (o) => o.orderId],
  state: ['text', (o) => o.state],
  retries_exhausted: ['boolean', (o) => o.retriesExhausted],
  attempts: ['integer', (o) => o.attempts],
  attempt_transaction: ['text', (o) => o.attemptTransaction],
  attempted_at: ['timestamptz', (o) => rfc3339OrNull(o.attemptedAt)],
  next_attempt_at: ['timestamptz', (o) => rfc3339OrNull(o.nextAttemptAt)],
  blocked: ['boolean', (o) => o.blocked],
  void_at: ['timestamptz', (o) => rfc3339OrNull(o.voidAt)],
  dunning: ['json', (o) => storedProgress(o.dunning)],
}
const changedOrders = rowsAs<PlanOrder>('c', COLLECTION)

export async function updatePlanOrders(tx: Tx, orders: readonly PlanOrder[]): Promise<void> {
  if (orders.length === 0) return
  await tx.execute(sql`
    update recurring_orders o
       set state = c.state, retries_exhausted = c.retries_exhausted, attempts = c.attempts,
           attempt_transaction = c.attempt_transaction, attempted_at = c.attempted_at, next_attempt_at = c.next_attempt_at, blocked = c.blocked, void_at = c.void_at,
           dunning = c.dunning
      from ${changedOrders(orders)}
     where o.business_id = ${tx.businessId} and o.order_id = c.order_id`)
}

export interface NewPlanOrder extends PlanOrder {
  readonly periodStart: Instant
}

const newOrders = rowsAs<NewPlanOrder>('c', {
  ...COLLECTION,
  plan_id: ['text', (o) => o.planId],
  cycle_position: ['integer', (o) => o.cyclePosition],
  suffix: ['integer', (o) => o.suffix],
  period_start: ['timestamptz', (o) => toRfc3339(o.periodStart)],
  credit_minor: ['numeric', (o) => o.credit.minor.toString()],
  counted: ['boolean', (o) => o.counted],
  created_at: ['timestamptz', (o) => toRfc3339(o.createdAt)],
})

export async function insertPlanOrders(tx: Tx, orders: readonly NewPlanOrder[]): Promise<void> {
  if (orders.length === 0) return
  await tx.execute(sql`
    insert into recurring_orders
           (business_id, order_id, state, retries_exhausted, attempts, attempt_transaction, attempted_at, next_attempt_at,
            blocked, void_at, dunning, plan_id, cycle_position, suffix, period_start, credit_minor, counted, created_at)
    select ${tx.businessId}, c.* from ${newOrders(orders)}`)
}

const paidFirstOrders = rowsAs<PlanOrder>('c', {
  order_id: ['text', (o) => o.orderId],
  cycle_position: ['integer', (o) => o.cyclePosition],
  counted: ['boolean', (o) => o.counted],
  paid_first: ['text', (o) => o.paidFirst],
})

/** The order of a new cycle counts in that cycle once the change has taken place. */
export async function updatePaidFirst(tx: Tx, orders: readonly PlanOrder[]): Promise<void> {
  if (orders.length === 0) return
  await tx.execute(sql`
    update recurring_orders r
       set cycle_position = c.cycle_position, counted = c.counted, paid_first = c.paid_first
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
