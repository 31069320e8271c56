import sql from 'sql-template-tag'
import { toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'

interface Offer {
  readonly planId: string
  readonly customerUuid: string
  readonly couponId: string
}

export async function hasHadOffer(tx: Tx, planId: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from portal_offers where business_id = ${tx.businessId} and plan_id = ${planId}`)
  return rows.length > 0
}

/** Returns false if the plan has had its offer. */
export async function insertOffer(tx: Tx, { planId, customerUuid, couponId }: Offer): Promise<boolean> {
  const inserted = await tx.execute(sql`
    insert into portal_offers (business_id, plan_id, customer_uuid, coupon_id, accepted_at)
    values (${tx.businessId}, ${planId}, ${customerUuid}, ${couponId}, ${toRfc3339(tx.now)})
    on conflict (business_id, plan_id) do nothing`)
  return inserted === 1
}
