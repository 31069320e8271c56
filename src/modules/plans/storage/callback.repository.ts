import sql from 'sql-template-tag'
import type { Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'

/**
 * The callback URLs of plans and of their orders, by the id of either. Both scans are skipped when no plan has a
 * callback URL.
 */
export async function callbackUrls(tx: Tx, objectIds: readonly string[]): Promise<Map<string, string>> {
  const ids = [...new Set(objectIds)]
  const isUsed = sql`(select exists (select from recurring_plans
                                      where business_id = ${tx.businessId} and callback_url is not null))`
  const rows = await tx.query<{ id: string; callback_url: string }>(sql`
    select p.id, p.callback_url from recurring_plans p
     where ${isUsed} and p.business_id = ${tx.businessId} and ${isOneOf(sql`p.id`, ids)} and p.callback_url is not null
     union all
    select o.order_id, p.callback_url
      from recurring_orders o
      join recurring_plans p on p.business_id = o.business_id and p.id = o.plan_id
     where ${isUsed} and o.business_id = ${tx.businessId} and ${isOneOf(sql`o.order_id`, ids)}
       and p.callback_url is not null`)
  return new Map(rows.map((row) => [row.id, row.callback_url]))
}
