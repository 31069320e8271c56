import sql, { empty, type Sql } from 'sql-template-tag'
import { type AnswersTaxes, SILENCE, type TaxGround } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'
import {
  CONFIG_COLUMNS,
  type DunningPolicy,
  findDunningPolicies,
  type PlanCoupon,
  readConfig,
} from '#modules/catalogue'
import { findPlanCoupons } from './plan-coupon.repository.ts'
import { READ_CYCLES, readCycle } from './cycle.table.ts'
import { PLAN_ORDERS, readPlanOrder } from './plan-order.table.ts'
import { PLANS } from './plan.table.ts'
import type { PlanAggregate, Plan } from '../model/plan.ts'
import { findTaxGroundsOfPlans } from './invoicing.repository.ts'

interface RowOfPlan {
  readonly plan_id: string
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
    tx.query<RowOfPlan>(sql`
      select ${READ_CYCLES.columns}, ${CONFIG_COLUMNS}
        from recurring_cycles c
        join recurring_billing_configs b on b.business_id = c.business_id and b.id = c.billing_config_id
       where c.business_id = ${tx.businessId} and ${isOneOf(sql`c.plan_id`, ids)}
       order by c.plan_id, c.position`),
    tx.query<RowOfPlan>(planOrders(tx, ids, selection.orderIds ?? [])),
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
  const open = sql`
    select ${PLAN_ORDERS.columns} from recurring_orders o
     where business_id = ${tx.businessId} and ${isOneOf(sql`plan_id`, planIds)} and state = 'open'`
  if (orderIds.length === 0) return sql`${open} order by plan_id, suffix`
  return sql`${open}
     union all
    select ${PLAN_ORDERS.columns} from recurring_orders o
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
  cycles: readonly RowOfPlan[],
  orders: readonly RowOfPlan[],
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
        cycles: (cyclesOf.get(plan.id) ?? []).map((cycle) =>
          readCycle(cycle, readConfig(cycle), plan.credit.currency),
        ),
        orders: (ordersOf.get(plan.id) ?? []).map((order) => readPlanOrder(order, plan.credit.currency)),
        coupons: coupons.get(plan.id) ?? [],
        taxGround: taxes.get(plan.id) ?? null,
        events: [],
      },
    ]),
  )
}
