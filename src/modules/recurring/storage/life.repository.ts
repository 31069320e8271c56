import sql, { empty, type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { decimal } from '#kernel/decimal'
import { Money } from '#kernel/money'
import { memoize } from '#kernel/memoize'
import type { Database, Tx } from '#platform/postgres/database'
import { earliestTime } from '#platform/postgres/earliest-time'
import { isOneOf } from '#platform/postgres/rows'
import { writersOf } from '#platform/postgres/writers'
import { type BillingConfigRow, CONFIG_COLUMNS, toConfig } from '../catalogue/catalogue.repository.ts'
import type { CycleState } from '../plan/cycle.states.ts'
import type { Discount } from '../billing/order-lines.ts'
import type { Cycle, Due, Life, Plan, PlanOrder } from '../plan/plan.ts'

/** Reads lives: plans with their cycles and open orders, always many at once. */

interface PlanRow {
  id: string
  name: string
  reference_number: string | null
  customer_uuid: string
  customer_reference_number: string
  payment_retry_count: number
  payment_retry_day_period: number
  grace_period: number | null
  callback_url: string | null
  redirect_url: string | null
  timeout_seconds: number | null
  timeout_url: string | null
  note: string | null
  description: string | null
  currency: string
  credit_minor: bigint
  time_zone: string
  local_time: string
  start_at: Instant
  state: CycleState
  current_cycle: number
  last_suffix: number
  current_order_id: string | null
  paused: boolean
  uncollectible: boolean
  written_off: boolean
  suspended_at: Instant | null
  cancel_at: Instant | null
  due_at: Instant | null
  due_kind: Due['kind'] | null
  due_order_id: string | null
  next_execute_at: Instant | null
  created_at: Instant
  updated_at: Instant
}

interface CycleRow extends BillingConfigRow {
  plan_id: string
  position: number
  id: string
  state: CycleState
  billing_count: number | null
  orders_created: number
  discount_type: Discount['type'] | null
  discount_minor: bigint | null
  discount_rate: string | null
  description: string | null
  start_at: Instant | null
  start_date: string | null
  anchor_day: number | null
  next_period: number
  end_at: Instant | null
  created_at: Instant
  updated_at: Instant
}

interface PlanOrderRow {
  order_id: string
  plan_id: string
  cycle_position: number
  suffix: number
  state: PlanOrder['state']
  used_up: boolean
  attempts: number
  attempt_transaction: string | null
  attempted_at: Instant | null
  next_attempt_at: Instant | null
  waiting: boolean
  void_at: Instant | null
  credit_minor: bigint
}

const PLAN_COLUMNS = sql`p.id, p.name, p.reference_number, p.customer_uuid, p.customer_reference_number,
       p.payment_retry_count, p.payment_retry_day_period, p.grace_period, p.callback_url, p.redirect_url,
       p.timeout_seconds, p.timeout_url, p.note, p.description, p.currency, p.credit_minor, p.time_zone, p.local_time,
       p.start_at, p.state, p.current_cycle, p.last_suffix, p.current_order_id, p.paused, p.uncollectible, p.written_off,
       p.suspended_at, p.cancel_at, p.due_at, p.due_kind, p.due_order_id, p.next_execute_at, p.created_at, p.updated_at`

export interface LifeSelection {
  readonly planIds: readonly string[]
  /** `wait`: lock the plans, in id order. `skip`: lock those that nobody else has locked. Default: none are locked. */
  readonly lock?: 'wait' | 'skip'
  /** Orders that must be there although they may be no longer open. */
  readonly orderIds?: readonly string[]
}

/**
 * Lives by plan id; plans that are not there, or skipped, are left out. Everything else is read after the plans are
 * locked, so it is what the last holder of the lock left.
 */
export async function loadLives(tx: Tx, selection: LifeSelection): Promise<Map<string, Life>> {
  const ids = [...selection.planIds]
  if (ids.length === 0) return new Map()
  const [plans, cycles, orders] = await Promise.all([
    tx.query<PlanRow>(sql`
      select ${PLAN_COLUMNS} from recurring_plans p
       where p.business_id = ${tx.businessId} and ${isOneOf(sql`p.id`, ids)}
       order by p.id ${lockClause(selection.lock)}`),
    tx.query<CycleRow>(sql`
      select c.plan_id, c.position, c.id, c.state, c.billing_count, c.orders_created, c.discount_type,
             c.discount_minor, c.discount_rate, c.description, c.start_at, c.start_date, c.anchor_day, c.next_period,
             c.end_at, c.created_at, c.updated_at, ${CONFIG_COLUMNS}
        from recurring_cycles c
        join recurring_billing_configs b on b.business_id = c.business_id and b.id = c.billing_config_id
       where c.business_id = ${tx.businessId} and ${isOneOf(sql`c.plan_id`, ids)}
       order by c.plan_id, c.position`),
    tx.query<PlanOrderRow>(planOrders(tx, ids, selection.orderIds ?? [])),
  ])
  return assemble(plans, cycles, orders)
}

/** A life as a transaction left it. */
export interface LeftLife {
  readonly life: Life
  /** The database transaction that wrote it, as `xmin` of its rows tells it. */
  readonly writer: string
}

/**
 * Lives of the plans of these orders, by plan id, locked in id order.
 * @param left some of them as they were left a moment ago, by order. What nobody has changed since is not read again:
 *   whoever changes a life's plan or cycles or opens an order writes the plan, and whoever changes how an order is
 *   collected that order
 */
export async function lockLivesOfOrders(
  tx: Tx,
  orderIds: readonly string[],
  left: ReadonlyMap<string, LeftLife>,
): Promise<{ planOf: ReadonlyMap<string, string>; lives: ReadonlyMap<string, Life> }> {
  const known = orderIds.flatMap((orderId) => leftOf(orderId, left))
  if (known.length === orderIds.length) return lockLeft(tx, orderIds, known)
  const planOf = await plansOfOrders(tx, orderIds)
  const lives = await loadLives(tx, { planIds: [...new Set(planOf.values())], lock: 'wait', orderIds })
  return { planOf, lives }
}

/** A life with more open orders than this one is read again: those may have changed. */
function leftOf(orderId: string, left: ReadonlyMap<string, LeftLife>): LeftLife[] {
  const known = left.get(orderId)
  return known?.life.orders.length === 1 ? [known] : []
}

async function lockLeft(
  tx: Tx,
  orderIds: readonly string[],
  left: readonly LeftLife[],
): Promise<{ planOf: ReadonlyMap<string, string>; lives: ReadonlyMap<string, Life> }> {
  const planIds = left.map(({ life }) => life.plan.id)
  // The second statement runs after the first has its locks.
  const [planWriters, orderWriters] = await Promise.all([
    writersOf(
      tx,
      sql`
      select p.id, p.xmin::text as writer from recurring_plans p
       where p.business_id = ${tx.businessId} and ${isOneOf(sql`p.id`, planIds)}
       order by p.id for no key update`,
    ),
    writersOf(
      tx,
      sql`
      select o.order_id as id, o.xmin::text as writer from recurring_orders o
       where o.business_id = ${tx.businessId} and ${isOneOf(sql`o.order_id`, orderIds)}`,
    ),
  ])
  const planOf = new Map<string, string>()
  const lives = new Map<string, Life>()
  const changed: string[] = []
  for (const [index, { life, writer }] of left.entries()) {
    const orderId = orderIds[index] ?? ''
    const { id } = life.plan
    planOf.set(orderId, id)
    if (planWriters.get(id) === writer && orderWriters.get(orderId) === writer) lives.set(id, life)
    else changed.push(id)
  }
  for (const [id, life] of await loadLives(tx, { planIds: changed, orderIds })) lives.set(id, life)
  return { planOf, lives }
}

function lockClause(lock: LifeSelection['lock']): Sql {
  if (lock === undefined) return empty
  return lock === 'wait' ? sql`for no key update` : sql`for no key update skip locked`
}

function planOrders(tx: Tx, planIds: string[], orderIds: readonly string[]): Sql {
  const columns = sql`order_id, plan_id, cycle_position, suffix, state, used_up, attempts, attempt_transaction,
                      attempted_at, next_attempt_at, waiting, void_at, credit_minor`
  const open = sql`
    select ${columns} from recurring_orders
     where business_id = ${tx.businessId} and ${isOneOf(sql`plan_id`, planIds)} and state = 'open'`
  if (orderIds.length === 0) return sql`${open} order by plan_id, suffix`
  return sql`${open}
     union all
    select ${columns} from recurring_orders
     where business_id = ${tx.businessId} and ${isOneOf(sql`order_id`, orderIds)} and state <> 'open'
     order by plan_id, suffix`
}

/** Which plans these orders belong to, by order; orders of no plan are left out. */
async function plansOfOrders(tx: Tx, orderIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx.query<{ order_id: string; plan_id: string }>(sql`
    select order_id, plan_id from recurring_orders
     where business_id = ${tx.businessId} and ${isOneOf(sql`order_id`, orderIds)}`)
  return new Map(rows.map((row) => [row.order_id, row.plan_id]))
}

/** To which plan and cycle an order belongs; undefined when to none. */
export async function orderOfPlan(
  tx: Tx,
  orderId: string,
): Promise<{ planId: string; cyclePosition: number } | undefined> {
  const [row] = await tx.query<{ plan_id: string; cycle_position: number }>(sql`
    select plan_id, cycle_position from recurring_orders
     where business_id = ${tx.businessId} and order_id = ${orderId}`)
  return row && { planId: row.plan_id, cyclePosition: row.cycle_position }
}

function assemble(
  plans: readonly PlanRow[],
  cycles: readonly CycleRow[],
  orders: readonly PlanOrderRow[],
): Map<string, Life> {
  const cyclesOf = Map.groupBy(cycles, (cycle) => cycle.plan_id)
  const ordersOf = Map.groupBy(orders, (order) => order.plan_id)
  return new Map(
    plans.map((row) => [
      row.id,
      {
        plan: toPlan(row),
        cycles: (cyclesOf.get(row.id) ?? []).map((cycle) => toCycle(cycle, row.currency)),
        orders: (ordersOf.get(row.id) ?? []).map((order) => toPlanOrder(order, row.currency)),
        events: [],
      },
    ]),
  )
}

const timeOf = memoize((text: string) => Temporal.PlainTime.from(text))
const dateOf = memoize((text: string) => Temporal.PlainDate.from(text))

function toPlan(row: PlanRow): Plan {
  return {
    id: row.id,
    name: row.name,
    referenceNumber: row.reference_number,
    customerUuid: row.customer_uuid,
    customerReferenceNumber: row.customer_reference_number,
    defaultCollectionMethod: 'charge_automatically',
    paymentRetryCount: row.payment_retry_count,
    paymentRetryDayPeriod: row.payment_retry_day_period,
    gracePeriod: row.grace_period,
    callbackUrl: row.callback_url,
    redirectUrl: row.redirect_url,
    timeout: row.timeout_seconds === null ? null : { seconds: row.timeout_seconds, url: row.timeout_url },
    note: row.note,
    description: row.description,
    credit: Money.ofMinor(row.currency, row.credit_minor),
    zone: row.time_zone,
    localTime: timeOf(row.local_time),
    startAt: row.start_at,
    state: row.state,
    currentCycle: row.current_cycle,
    lastSuffix: row.last_suffix,
    currentOrderId: row.current_order_id,
    paused: row.paused,
    uncollectible: row.uncollectible,
    writtenOff: row.written_off,
    suspendedAt: row.suspended_at,
    cancelAt: row.cancel_at,
    due:
      row.due_at === null || row.due_kind === null
        ? null
        : { at: row.due_at, kind: row.due_kind, orderId: row.due_order_id },
    nextExecuteAt: row.next_execute_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function toCycle(row: CycleRow, currency: string): Cycle {
  return {
    id: row.id,
    planId: row.plan_id,
    position: row.position,
    state: row.state,
    billingCount: row.billing_count,
    ordersCreated: row.orders_created,
    config: toConfig(row),
    discount: toDiscount(row, currency),
    description: row.description,
    start:
      row.start_at === null || row.start_date === null || row.anchor_day === null
        ? null
        : { at: row.start_at, date: dateOf(row.start_date), anchorDay: row.anchor_day },
    nextPeriod: row.next_period,
    endAt: row.end_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function toDiscount(row: CycleRow, currency: string): Discount | null {
  if (row.discount_type === 'fixed_amount') {
    return { type: 'fixed_amount', amount: Money.ofMinor(currency, row.discount_minor ?? 0n) }
  }
  if (row.discount_type === 'percentage') {
    return { type: 'percentage', rate: decimal(row.discount_rate ?? '0') }
  }
  return null
}

function toPlanOrder(row: PlanOrderRow, currency: string): PlanOrder {
  return {
    orderId: row.order_id,
    planId: row.plan_id,
    cyclePosition: row.cycle_position,
    suffix: row.suffix,
    state: row.state,
    usedUp: row.used_up,
    attempts: row.attempts,
    attemptTransaction: row.attempt_transaction,
    attemptedAt: row.attempted_at,
    nextAttemptAt: row.next_attempt_at,
    waiting: row.waiting,
    voidAt: row.void_at,
    credit: Money.ofMinor(currency, row.credit_minor),
  }
}

/** A plan that has something to do, read without a lock. */
export interface DuePlan {
  readonly planId: string
  readonly customerUuid: string
  readonly due: Due
}

interface DuePlanRow {
  id: string
  customer_uuid: string
  due_at: Instant
  due_kind: Due['kind']
  due_order_id: string | null
}

/**
 * What is due at `until`, the earliest first, leaving out plans that the caller is at: in a form that PostgreSQL looks up
 * in a hash, where `<> all` of an array that it does not know when planning compares each with each.
 */
export async function findDuePlans(
  db: Database,
  businessId: string,
  search: { readonly until: Instant; readonly limit: number; readonly except: Iterable<string> },
): Promise<DuePlan[]> {
  const rows = await db.read<DuePlanRow>(
    businessId,
    sql`select id, customer_uuid, due_at, due_kind, due_order_id from recurring_plans
         where business_id = ${businessId} and due_at <= ${toRfc3339(search.until)}
           and id not in (select unnest(${[...search.except]}::text[]))
         order by due_at
         limit ${search.limit}`,
  )
  return rows.map((row) => ({
    planId: row.id,
    customerUuid: row.customer_uuid,
    due: { at: row.due_at, kind: row.due_kind, orderId: row.due_order_id },
  }))
}

export function nextPlanDueAt(tx: Tx): Promise<Instant | null> {
  return earliestTime(tx, sql`recurring_plans`, sql`due_at`)
}
