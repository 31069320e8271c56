import sql, { empty } from 'sql-template-tag'
import { toRfc3339 } from '#kernel/clock'
import { decimalToString } from '#kernel/decimal'
import type { TaxRate } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'

/**
 * Finds a document that has the tax of the rate: of its name and percentage, of a party in its country and region, issued since it was
 * stored. A document after the end of the rate counts if it was issued before that end was set. Newest first, because a rate that
 * is used is mostly used until now.
 */
export async function isRateUsed(tx: Tx, rate: TaxRate): Promise<boolean> {
  const group = JSON.stringify([
    { name: rate.name, percentage: decimalToString(rate.percentage), treatment: 'taxed' },
  ])
  const isIn = (party: 'buyer' | 'seller') => sql`
    (i.copy -> ${party}::text -> 'address' ->> 'country' = ${rate.country}
      and (${rate.region}::text is null or i.copy -> ${party}::text -> 'address' ->> 'region' = ${rate.region}))`
  const until =
    rate.validUntil === null
      ? empty
      : sql`and (i.issue_date <= ${rate.validUntil}::text::date + 1 or i.created_at < ${toRfc3339(rate.updatedAt)})`
  const rows = await tx.query(sql`
    select 1 from invoices i
     where i.business_id = ${tx.businessId} and i.created_at >= ${toRfc3339(rate.createdAt)}
       and i.issue_date >= ${rate.validFrom}::text::date ${until}
       and i.copy -> 'taxes' @> ${group}::text::jsonb and (${isIn('buyer')} or ${isIn('seller')})
     order by i.created_at desc
     limit 1`)
  return rows.length > 0
}
