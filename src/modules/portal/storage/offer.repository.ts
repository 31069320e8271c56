import sql from 'sql-template-tag'
import { toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'

interface Offer {
  readonly planId: string
  readonly customerUuid: string
  readonly couponId: string
}

/** Returns false if the plan has had its offer. */
export async function insertOffer(tx: Tx, { planId, customerUuid, couponId }: Offer): Promise<boolean> {
  const inserted = await tx.execute(sql`
    insert into portal_offers (business_id, plan_id, customer_uuid, coupon_id, accepted_at)
    values (${tx.businessId}, ${planId}, ${customerUuid}, ${couponId}, ${toRfc3339(tx.now)})
    on conflict (business_id, plan_id) do nothing`)
  return inserted === 1
}
