import sql, { type Sql } from 'sql-template-tag'
import { rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { decimalToString } from '#kernel/decimal'
import { newId } from '#kernel/ids'
import type { Money } from '#kernel/money'
import type { Tx } from '#platform/database'
import { type PageRequest, rowsOfPage } from '#platform/http/list'
import type { CycleItem } from './catalogue.ts'
import type { Cycle, Life, Plan } from './plan.ts'

/** Writes a new plan's own row; false when its reference number is taken, by a plan that is committed then. */
export async function insertPlan(tx: Tx, plan: Plan): Promise<boolean> {
  const inserted = await tx.execute(sql`
    insert into recurring_plans
           (business_id, id, name, reference_number, customer_uuid, customer_reference_number,
            default_collection_method, payment_retry_count, payment_retry_day_period, grace_period, callback_url,
            redirect_url, timeout_seconds, timeout_url, note, description, currency, time_zone, local_time, start_at,
            state, due_at, due_kind, next_execute_at, created_at, updated_at)
    values (${tx.businessId}, ${plan.id}, ${plan.name}, ${plan.referenceNumber}, ${plan.customerUuid},
            ${plan.customerReferenceNumber}, ${plan.defaultCollectionMethod}, ${plan.paymentRetryCount},
            ${plan.paymentRetryDayPeriod}, ${plan.gracePeriod}, ${plan.callbackUrl}, ${plan.redirectUrl},
            ${plan.timeout?.seconds ?? null}, ${plan.timeout?.url ?? null}, ${plan.note}, ${plan.description},
            ${plan.credit.currency}, ${plan.zone}, ${plan.localTime.toString()}, ${toRfc3339(plan.startAt)},
            ${plan.state}, ${rfc3339OrNull(plan.due?.at)}, ${plan.due?.kind ?? null},
            ${rfc3339OrNull(plan.nextExecuteAt)}, ${toRfc3339(plan.createdAt)}, ${toRfc3339(plan.updatedAt)})
    on conflict (business_id, reference_number) do nothing`)
  return inserted === 1
}

/** Writes the cycles of a new plan with their items. Their configs are stored already. */
export async function insertCycles(
  tx: Tx,
  life: Life,
  items: readonly (readonly CycleItem[])[],
): Promise<void> {
  const itemRows = items.flatMap((cycleItems, cyclePosition) =>
    cycleItems.map(({ item, quantity }, position) => ({
      cycle_position: cyclePosition,
      position,
      item_id: item.id,
      quantity,
    })),
  )
  await tx.execute(sql`
    insert into recurring_cycles
           (business_id, plan_id, position, id, state, billing_count, billing_config_id, discount_type, discount_minor,
            discount_rate, description, created_at, updated_at)
    select ${tx.businessId}, ${life.plan.id}, c.position, c.id, c.state, c.billing_count, c.billing_config_id,
           c.discount_type, c.discount_minor, c.discount_rate, c.description, c.created_at, c.created_at
      from json_to_recordset(${JSON.stringify(life.cycles.map(newCycleRow))}::json) as c (
             position integer, id text, state text, billing_count integer, billing_config_id text, discount_type text,
             discount_minor numeric, discount_rate text, description text, created_at timestamptz)`)
  await tx.execute(sql`
    insert into recurring_cycle_items (business_id, plan_id, cycle_position, position, item_id, quantity)
    select ${tx.businessId}, ${life.plan.id}, i.cycle_position, i.position, i.item_id, i.quantity
      from json_to_recordset(${JSON.stringify(itemRows)}::json) as i (
             cycle_position integer, position integer, item_id text, quantity bigint)`)
}

function newCycleRow(cycle: Cycle): object {
  const { discount } = cycle
  return {
    position: cycle.position,
    id: cycle.id,
    state: cycle.state,
    billing_count: cycle.billingCount,
    billing_config_id: cycle.config.id,
    discount_type: discount?.type ?? null,
    discount_minor: discount?.type === 'fixed_amount' ? discount.amount.minor.toString() : null,
    discount_rate: discount?.type === 'percentage' ? decimalToString(discount.rate) : null,
    description: cycle.description,
    created_at: toRfc3339(cycle.createdAt),
  }
}

export async function findPlanIdByReference(tx: Tx, referenceNumber: string): Promise<string | undefined> {
  const [row] = await tx.query<{ id: string }>(sql`
    select id from recurring_plans
     where business_id = ${tx.businessId} and reference_number = ${referenceNumber}`)
  return row?.id
}

/** Ids of one plan more than the page, newest first. `condition` is over `recurring_plans p`. */
export async function listPlanIds(tx: Tx, condition: Sql, page: PageRequest): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select p.id from recurring_plans p
     where p.business_id = ${tx.businessId} and ${condition}
     ${rowsOfPage(page, sql`p.created_at`, sql`p.id`)}`)
  return rows.map((row) => row.id)
}

/** Writes what a caller may edit of a plan. The caller holds its lock. */
export async function updatePlanBasics(tx: Tx, plan: Plan): Promise<void> {
  await tx.execute(sql`
    update recurring_plans
       set name = ${plan.name}, default_collection_method = ${plan.defaultCollectionMethod},
           payment_retry_count = ${plan.paymentRetryCount},
           payment_retry_day_period = ${plan.paymentRetryDayPeriod}, callback_url = ${plan.callbackUrl},
           updated_at = ${toRfc3339(plan.updatedAt)}
     where business_id = ${tx.businessId} and id = ${plan.id}`)
}

/** Keeps a grant of credit; the balance itself is the plan's. */
export async function insertCredit(
  tx: Tx,
  planId: string,
  amount: Money,
  note: string | null,
): Promise<void> {
  await tx.execute(sql`
    insert into recurring_credits (business_id, id, plan_id, amount_minor, note, created_at)
    values (${tx.businessId}, ${newId('rcr')}, ${planId}, ${amount.minor}, ${note}, ${toRfc3339(tx.now)})`)
}
