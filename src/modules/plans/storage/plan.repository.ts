import sql, { type Sql } from 'sql-template-tag'
import { type Instant, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { FilterFields } from '#platform/filter/filter-sql'
import type { Tx } from '#platform/postgres/database'
import { type PageKey, type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { isOneOf, rowsAs } from '#platform/postgres/rows'
import type { CreditEntry } from '../model/given-credit.ts'
import { type CycleItem, pricedItem } from '#modules/catalogue'
import { CYCLE_STATES } from '../model/cycle.states.ts'
import type { Cycle, Plan } from '../model/plan.ts'
import { HAS_ANY_COUPON, hasPlanCoupon } from './plan-coupon.repository.ts'
import { CYCLES, storedCycle } from './cycle.table.ts'
import { PLANS } from './plan.table.ts'

/** Returns false if a committed plan has the reference number. Waits for a concurrent insert of the same number. */
export async function insertPlan(tx: Tx, plan: Plan): Promise<boolean> {
  const inserted = await tx.execute(sql`
    insert into recurring_plans ${PLANS.values(tx.businessId, [plan])}
    on conflict (business_id, reference_number) do nothing`)
  return inserted === 1
}

const NEW_CYCLES = CYCLES.without('ordersCreated', 'start', 'nextPeriod', 'endAt')

interface PlacedItem extends CycleItem {
  readonly cycle: Cycle
  readonly position: number
}

const newCycleItems = rowsAs<PlacedItem>('i', {
  plan_id: ['text', (i) => i.cycle.planId],
  cycle_position: ['integer', (i) => i.cycle.position],
  position: ['integer', (i) => i.position],
  item_id: ['text', (i) => i.item.id],
  quantity: ['bigint', (i) => i.quantity],
  amount_minor: ['numeric', (i) => amountUnlessTimes(i)],
})

function amountUnlessTimes({ item, quantity }: CycleItem): string | null {
  const { price, quantity: times } = pricedItem({ item, quantity })
  const amount = price.times(BigInt(times))
  return amount.equals(item.price.times(BigInt(quantity))) ? null : amount.minor.toString()
}

/** Their billing configs must be stored already. */
export async function insertCycles(tx: Tx, cycles: readonly Cycle[]): Promise<void> {
  if (cycles.length === 0) return
  await tx.execute(sql`
    insert into recurring_cycles ${NEW_CYCLES.values(tx.businessId, cycles.map(storedCycle))}`)
}

interface ItemsOfCycle {
  readonly cycle: Cycle
  readonly items: readonly CycleItem[]
}

export async function insertCycleItems(tx: Tx, cycles: readonly ItemsOfCycle[]): Promise<void> {
  const placed = cycles.flatMap(({ cycle, items }) =>
    items.map((item, position) => ({ ...item, cycle, position })),
  )
  await tx.execute(sql`
    insert into recurring_cycle_items (business_id, plan_id, cycle_position, position, item_id, quantity, amount_minor)
    select ${tx.businessId}, i.* from ${newCycleItems(placed)}`)
}

export async function findPlanIdByReference(tx: Tx, referenceNumber: string): Promise<string | undefined> {
  const [row] = await tx.query<{ id: string }>(sql`
    select id from recurring_plans
     where business_id = ${tx.businessId} and reference_number = ${referenceNumber}`)
  return row?.id
}

export const PLAN_FIELDS: FilterFields = {
  id: { type: 'text', column: sql`p.id`, prefix: true },
  name: { type: 'text', column: sql`p.name collate "C"`, prefix: true },
  reference_number: { type: 'text', column: sql`p.reference_number`, prefix: true },
  'customer.uuid': { type: 'text', column: sql`p.customer_uuid` },
  'customer.reference_number': { type: 'text', column: sql`p.customer_reference_number` },
  state: {
    type: 'enum',
    column: sql`p.state`,
    values: Object.keys(CYCLE_STATES),
    narrow: (state) =>
      state === 'active' || state === 'upcoming'
        ? undefined
        : sql`p.state <> 'active' and p.state <> 'upcoming'`,
  },
  created_at: { type: 'time', column: sql`p.created_at` },
  next_execute_time: { type: 'time', column: sql`p.next_execute_at` },
  dunning_policy_id: { type: 'text', column: sql`p.dunning_policy_id` },
  price_id: {
    type: 'key',
    matches: (id) => sql`exists (select from recurring_cycle_items ci
                                  where ci.business_id = p.business_id and ci.plan_id = p.id and ci.item_id = ${id})`,
    isPresent: sql`true`,
  },
  coupon_id: { type: 'key', matches: hasPlanCoupon, isPresent: HAS_ANY_COUPON },
}

/** Returns the keys of one plan more than the page holds, newest first. `condition` refers to `recurring_plans p`. */
export function listPlanKeys(tx: Tx, condition: Sql, page: PageRequest): Promise<PageKey[]> {
  return tx.query<PageKey>(sql`
    select p.id, p.created_at as at from recurring_plans p
     where p.business_id = ${tx.businessId} and ${condition}
     ${rowsOfPage(page, sql`p.created_at`, sql`p.id`)}`)
}

const EDITABLE = PLANS.only(
  'name',
  'defaultCollectionMethod',
  'paymentRetryCount',
  'paymentRetryDayPeriod',
  'dunningPolicyId',
  'callbackUrl',
  'metadata',
)

export async function updateEditablePlanFields(tx: Tx, plan: Plan): Promise<void> {
  await tx.execute(sql`
    update recurring_plans set ${EDITABLE.set(plan)}
     where business_id = ${tx.businessId} and id = ${plan.id}`)
}

const newCredits = rowsAs<CreditEntry>('c', {
  id: ['text', () => newId('rcr')],
  plan_id: ['text', (c) => c.planId],
  amount_minor: ['numeric', (c) => c.amount.minor.toString()],
  note: ['text', (c) => c.note],
  created_at: ['timestamptz', (c) => toRfc3339(c.at)],
  order_id: ['text', (c) => c.orderId],
  given_by: ['text', (c) => c.givenBy],
  moved_from: ['text', (c) => c.movedFrom ?? null],
})

export async function insertCredits(tx: Tx, credits: readonly CreditEntry[]): Promise<void> {
  if (credits.length === 0) return
  await tx.execute(sql`
    insert into recurring_credits (business_id, id, plan_id, amount_minor, note, created_at, order_id, given_by, moved_from)
    select ${tx.businessId}, c.* from ${newCredits(credits)}`)
}

const changedPlans = rowsAs<Plan>('c', {
  id: ['text', (p) => p.id],
  credit_minor: ['numeric', (p) => p.credit.minor.toString()],
  state: ['text', (p) => p.state],
  current_cycle: ['integer', (p) => p.currentCycle],
  last_suffix: ['integer', (p) => p.lastSuffix],
  current_order_id: ['text', (p) => p.currentOrderId],
  paused: ['boolean', (p) => p.paused],
  uncollectible: ['boolean', (p) => p.uncollectible],
  permanently_uncollectible: ['boolean', (p) => p.permanentlyUncollectible],
  suspended_at: ['timestamptz', (p) => rfc3339OrNull(p.suspendedAt)],
  cancel_at: ['timestamptz', (p) => rfc3339OrNull(p.cancelAt)],
  local_time: ['text', (p) => p.localTime.toString()],
  pause_until: ['timestamptz', (p) => rfc3339OrNull(p.pauseUntil)],
  trial_end_at: ['timestamptz', (p) => rfc3339OrNull(p.trial?.end)],
  trial_state: ['text', (p) => p.trial?.state ?? null],
  trial_notice_at: ['timestamptz', (p) => rfc3339OrNull(p.trial?.noticeAt)],
  due_at: ['timestamptz', (p) => rfc3339OrNull(p.due?.at)],
  due_kind: ['text', (p) => p.due?.kind ?? null],
  due_order_id: ['text', (p) => p.due?.orderId ?? null],
  next_execute_at: ['timestamptz', (p) => rfc3339OrNull(p.nextExecuteAt)],
  updated_at: ['timestamptz', (p) => toRfc3339(p.updatedAt)],
})

export async function updatePlans(tx: Tx, plans: readonly Plan[]): Promise<void> {
  if (plans.length === 0) return
  await tx.execute(sql`
    update recurring_plans p
       set credit_minor = c.credit_minor, state = c.state, current_cycle = c.current_cycle,
           last_suffix = c.last_suffix, current_order_id = c.current_order_id, paused = c.paused,
           uncollectible = c.uncollectible, permanently_uncollectible = c.permanently_uncollectible,
           suspended_at = c.suspended_at, cancel_at = c.cancel_at, local_time = c.local_time, pause_until = c.pause_until,
           trial_end_at = c.trial_end_at, trial_state = c.trial_state, trial_notice_at = c.trial_notice_at, due_at = c.due_at, due_kind = c.due_kind, due_order_id = c.due_order_id,
           next_execute_at = c.next_execute_at, updated_at = c.updated_at
      from ${changedPlans(plans)}
     where p.business_id = ${tx.businessId} and p.id = c.id`)
}

const CHANGED_CYCLES = CYCLES.only(
  'planId',
  'position',
  'state',
  'ordersCreated',
  'start',
  'nextPeriod',
  'endAt',
  'updatedAt',
)
const CYCLE_CHANGES = CHANGED_CYCLES.without('planId', 'position').setFrom('c')
const changedCycles = CHANGED_CYCLES.rowsAs('c')

export async function updateCycles(tx: Tx, cycles: readonly Cycle[]): Promise<void> {
  if (cycles.length === 0) return
  await tx.execute(sql`
    update recurring_cycles y set ${CYCLE_CHANGES}
      from ${changedCycles(cycles)}
     where y.business_id = ${tx.businessId} and y.plan_id = c.plan_id and y.position = c.position`)
}

export interface UncollectiblePlan {
  readonly id: string
  readonly name: string
  readonly since: Instant
}

export function findUncollectiblePlans(tx: Tx, limit: number): Promise<UncollectiblePlan[]> {
  return tx.query<UncollectiblePlan>(sql`
    select id, name, suspended_at as since from recurring_plans
     where business_id = ${tx.businessId} and uncollectible
     order by suspended_at limit ${limit}`)
}

/** Plans that may bill again, in the order of their ids. */
export async function findActivePlanIds(tx: Tx, afterId: string, limit: number): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from recurring_plans
     where business_id = ${tx.businessId} and id > ${afterId} and state in ('active', 'past_due', 'paused')
     order by id limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** Whether an order of the plan is unpaid after an attempt, and a payment of it would continue the plan. */
export async function owesPayment(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select from recurring_plans
     where business_id = ${tx.businessId} and id = ${id}
       and (state = 'past_due' or uncollectible) and not permanently_uncollectible`)
  return rows.length > 0
}

/** Returns the customers whom a plan bills next, or for whom it attempts an order next. */
export async function findBilledCustomers(tx: Tx, customerUuids: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ uuid: string }>(sql`
    select distinct customer_uuid as uuid from recurring_plans
     where business_id = ${tx.businessId} and ${isOneOf(sql`customer_uuid`, customerUuids)}
       and next_execute_at is not null`)
  return rows.map(({ uuid }) => uuid)
}

/** Returns, by currency, how many plans bill, and what they bill in an average month. Reads all plans of the business. */
export function countActivePlans(
  tx: Tx,
): Promise<{ readonly currency: string; readonly plans: number; readonly monthly: bigint }[]> {
  return tx.query(sql`
    select currency, count(*)::integer as plans,
           round(sum(greatest(0, case discount_type when 'fixed_amount' then gross - discount_minor
                                                    when 'percentage' then gross * (100 - discount_rate::numeric) / 100
                                                    else gross end)
                     * case billing_interval when 'day' then 365.2425 / 12 when 'week' then 365.2425 / 84
                                             when 'month' then 1 else 1.0 / 12 end / interval_count)) as monthly
      from (select p.currency, c.discount_type, c.discount_minor, c.discount_rate, b.billing_interval, b.interval_count,
                   (select sum(coalesce(ci.amount_minor, i.price_minor * ci.quantity))
                      from recurring_cycle_items ci
                      join recurring_items i on i.business_id = ci.business_id and i.id = ci.item_id
                     where ci.business_id = p.business_id and ci.plan_id = p.id
                       and ci.cycle_position = p.current_cycle) as gross
              from recurring_plans p
              join recurring_cycles c
                on c.business_id = p.business_id and c.plan_id = p.id and c.position = p.current_cycle
              join recurring_billing_configs b on b.business_id = c.business_id and b.id = c.billing_config_id
             where p.business_id = ${tx.businessId} and p.state in ('active', 'past_due')) billed
     group by currency order by currency`)
}

/** The newest plans of a customer, newest first. */
export async function findPlanIdsOfCustomer(tx: Tx, customerUuid: string, limit: number): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from recurring_plans
     where business_id = ${tx.businessId} and customer_uuid = ${customerUuid}
     order by created_at desc, id desc limit ${limit}`)
  return rows.map(({ id }) => id)
}

export async function findPlansWithPolicy(tx: Tx, customerUuid: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from recurring_plans
     where business_id = ${tx.businessId} and customer_uuid = ${customerUuid} and dunning_policy_id is not null
       and state not in ('completed', 'canceled')`)
  return rows.map(({ id }) => id)
}
