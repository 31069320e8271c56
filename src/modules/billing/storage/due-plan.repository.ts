import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Database, Tx } from '#platform/postgres/database'
import { earliestTime } from '#platform/postgres/earliest-time'
import type { Due } from '#modules/plans'

/** A plan with an overdue step. It is read without a lock, so whoever locks the plan must check `due` again. */
export interface DuePlan {
  readonly planId: string
  readonly customerUuid: string
  readonly dunningPolicyId: string | null
  readonly due: Due
}

interface DuePlanRow {
  id: string
  customer_uuid: string
  dunning_policy_id: string | null
  due_at: Instant
  due_kind: Due['kind']
  due_order_id: string | null
}

export async function findDuePlans(
  db: Database,
  businessId: string,
  search: { readonly until: Instant; readonly limit: number; readonly except: Iterable<string> },
): Promise<DuePlan[]> {
  // PostgreSQL hashes the subquery. It would scan an array of unknown length in `<> all` for every row.
  const rows = await db.read<DuePlanRow>(
    businessId,
    sql`select id, customer_uuid, dunning_policy_id, due_at, due_kind, due_order_id from recurring_plans
         where business_id = ${businessId} and due_at <= ${toRfc3339(search.until)}
           and id not in (select unnest(${[...search.except]}::text[]))
         order by due_at
         limit ${search.limit}`,
  )
  return rows.map((row) => ({
    planId: row.id,
    customerUuid: row.customer_uuid,
    dunningPolicyId: row.dunning_policy_id,
    due: { at: row.due_at, kind: row.due_kind, orderId: row.due_order_id },
  }))
}

export function nextPlanDueAt(tx: Tx): Promise<Instant | null> {
  return earliestTime(tx, sql`recurring_plans`, sql`due_at`)
}
