import sql, { empty, type Sql } from 'sql-template-tag'
import type { Instant } from '#kernel/clock'
import { decimal } from '#kernel/decimal'
import { Money } from '#kernel/money'
import { memoize } from '#kernel/memoize'
import { type AnswersTaxes, SILENCE, type TaxGround } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'
import {
  type BillingConfigRow,
  CONFIG_COLUMNS,
  type Discount,
  type DunningPolicy,
  findDunningPolicies,
  type PlanCoupon,
  readProgress,
  toConfig,
} from '#modules/catalogue'
import type { CycleState } from '../model/cycle.states.ts'
import { findPlanCoupons } from './plan-coupon.repository.ts'
import { PLANS } from './plan.table.ts'
import type { Cycle, PlanAggregate, Plan, PlanOrder } from '../model/plan.ts'
import { findTaxGroundsOfPlans } from './invoicing.repository.ts'

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
  counted: boolean
  state: PlanOrder['state']
  retries_exhausted: boolean
  attempts: number
  attempt_transaction: string | null
  attempted_at: Instant | null
  next_attempt_at: Instant | null
  blocked: boolean
  void_at: Instant | null
  dunning: string | null
  credit_minor: bigint
  credit_given_minor: bigint | null
  credit_taken_minor: bigint | null
  credit_missing_minor: bigint | null
  paid_first: PlanOrder['paidFirst']
  created_at: Instant
}

export interface PlanSelection {
  readonly planIds: readonly string[]
  /** `wait` locks the plans in id order, `skip` locks those that nobody else holds. Without it no plan is locked. */
  readonly lock?: 'wait' | 'skip'
  readonly orderIds?: readonly string[]
  /** False where nothing is billed, so that the tax grounds need not be read. */
  readonly bills?: false
  /** Default: `SILENCE`. */
  readonly answers?: AnswersTaxes
}

/**
 * Reads plans with their cycles, their coupons, their open orders and the selected orders, by plan id; missing and skipped plans are left
 * out. The statements run one after the other, so cycles and orders are as the last holder of the plan's lock left them.
 */
export async function loadPlans(tx: Tx, selection: PlanSelection): Promise<Map<string, PlanAggregate>> {
  const ids = [...selection.planIds]
  if (ids.length === 0) return new Map()
  const [rows, cycles, orders] = await Promise.all([
    tx.query(sql`
      select ${PLANS.columns} from recurring_plans p
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
  const plans = rows.map(PLANS.read)
  const [policies, coupons, taxes] = await Promise.all([
    findDunningPolicies(
      tx,
      plans.flatMap(({ dunningPolicyId }) => dunningPolicyId ?? []),
    ),
    findPlanCoupons(
      tx,
      plans.flatMap(({ id, hasCoupons }) => (hasCoupons ? [id] : [])),
    ),
    findTaxGroundsOfPlans(tx, selection.bills === false ? [] : plans, selection.answers ?? SILENCE),
  ])
  return assemble(plans, cycles, orders, policies, coupons, taxes)
}

export interface PlansOfOrders {
  readonly planIdByOrder: ReadonlyMap<string, string>
  readonly plans: ReadonlyMap<string, PlanAggregate>
}

export async function lockPlansOfOrders(tx: Tx, orderIds: readonly string[]): Promise<PlansOfOrders> {
  const planIdByOrder = await findPlanIds(tx, orderIds)
  const plans = await loadPlans(tx, {
    planIds: [...new Set(planIdByOrder.values())],
    lock: 'wait',
    orderIds,
    bills: false,
  })
  return { planIdByOrder, plans }
}

function lockClause(lock: PlanSelection['lock']): Sql {
  if (lock === undefined) return empty
  return lock === 'wait' ? sql`for no key update` : sql`for no key update skip locked`
}

function planOrders(tx: Tx, planIds: string[], orderIds: readonly string[]): Sql {
  const columns = sql`order_id, plan_id, cycle_position, suffix, counted, state, retries_exhausted, attempts,
                      attempt_transaction, attempted_at, next_attempt_at, blocked, void_at, dunning, credit_minor, credit_given_minor,
                      credit_taken_minor, credit_missing_minor, paid_first, created_at`
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

async function findPlanIds(tx: Tx, orderIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx.query<{ order_id: string; plan_id: string }>(sql`
    select order_id, plan_id from recurring_orders
     where business_id = ${tx.businessId} and ${isOneOf(sql`order_id`, orderIds)}`)
  return new Map(rows.map((row) => [row.order_id, row.plan_id]))
}

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
  plans: readonly Plan[],
  cycles: readonly CycleRow[],
  orders: readonly PlanOrderRow[],
  policies: ReadonlyMap<string, DunningPolicy>,
  coupons: ReadonlyMap<string, readonly PlanCoupon[]>,
  taxes: ReadonlyMap<string, TaxGround>,
): Map<string, PlanAggregate> {
  const cyclesOf = Map.groupBy(cycles, (cycle) => cycle.plan_id)
  const ordersOf = Map.groupBy(orders, (order) => order.plan_id)
  return new Map(
    plans.map((plan) => [
      plan.id,
      {
        plan,
        policy: policies.get(plan.dunningPolicyId ?? '') ?? null,
        cycles: (cyclesOf.get(plan.id) ?? []).map((cycle) => toCycle(cycle, plan.credit.currency)),
        orders: (ordersOf.get(plan.id) ?? []).map((order) => toPlanOrder(order, plan.credit.currency)),
        coupons: coupons.get(plan.id) ?? [],
        taxGround: taxes.get(plan.id) ?? null,
        events: [],
      },
    ]),
  )
}

const dateOf = memoize((text: string) => Temporal.PlainDate.from(text))

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
    counted: row.counted,
    state: row.state,
    retriesExhausted: row.retries_exhausted,
    attempts: row.attempts,
    attemptTransaction: row.attempt_transaction,
    attemptedAt: row.attempted_at,
    nextAttemptAt: row.next_attempt_at,
    blocked: row.blocked,
    voidAt: row.void_at,
    dunning: readProgress(row.dunning),
    credit: Money.ofMinor(currency, row.credit_minor),
    givenCredit: toGivenCredit(row, currency),
    paidFirst: row.paid_first,
    createdAt: row.created_at,
  }
}

function toGivenCredit(row: PlanOrderRow, currency: string): PlanOrder['givenCredit'] {
  if (row.credit_given_minor === null) return null
  return {
    given: Money.ofMinor(currency, row.credit_given_minor),
    taken: Money.ofMinor(currency, row.credit_taken_minor ?? 0n),
    missing: Money.ofMinor(currency, row.credit_missing_minor ?? 0n),
  }
}
