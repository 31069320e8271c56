import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Database, Tx } from '#platform/postgres/database'
import { earliestTime } from '#platform/postgres/earliest-time'
import { composed, named, table } from '#platform/postgres/table'
import type { Due } from '#modules/plans'

/** A plan with an overdue step. It is read without a lock, so whoever locks the plan must check `due` again. */
export interface DuePlan {
  readonly planId: string
  readonly customerUuid: string
  readonly dunningPolicyId: string | null
  readonly due: Due
}

const PLANS = table<DuePlan>('p', {
  planId: named('id', 'text'),
  customerUuid: 'text',
  dunningPolicyId: 'text',
  due: composed(
    ['due_at', 'due_kind', 'due_order_id'],
    (at: Instant, kind: Due['kind'], orderId: string | null) => ({ at, kind, orderId }),
    {},
  ),
})

export async function findDuePlans(
  db: Database,
  businessId: string,
  search: { readonly until: Instant; readonly limit: number; readonly except: Iterable<string> },
): Promise<DuePlan[]> {
  // PostgreSQL hashes the subquery. It would scan an array of unknown length in `<> all` for every row.
  const rows = await db.read(
    businessId,
    sql`select ${PLANS.columns} from recurring_plans p
         where business_id = ${businessId} and due_at <= ${toRfc3339(search.until)}
           and id not in (select unnest(${[...search.except]}::text[]))
         order by due_at
         limit ${search.limit}`,
  )
  return rows.map(PLANS.read)
}

export function nextPlanDueAt(tx: Tx): Promise<Instant | null> {
  return earliestTime(tx, sql`recurring_plans`, sql`due_at`)
}
