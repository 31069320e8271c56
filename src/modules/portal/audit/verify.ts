import sql from 'sql-template-tag'
import type { Database } from '#platform/postgres/database'
import { brokenRules, type Rules, type Verification } from '#platform/verify'

export const RULES: Rules = {
  offer_attached_its_coupon: (businessId) => sql`
    select o.plan_id as object, 'its offer was accepted, and its coupon ' || o.coupon_id || ' was never attached' as detail
      from portal_offers o
      left join recurring_plan_coupons c
        on c.business_id = ${businessId} and c.plan_id = o.plan_id and c.coupon_id = o.coupon_id
     where o.business_id = ${businessId} and c.plan_id is null`,
  offer_is_of_the_plans_customer: (businessId) => sql`
    select o.plan_id as object, 'its offer was accepted by ' || o.customer_uuid as detail
      from portal_offers o
      left join recurring_plans p on p.business_id = ${businessId} and p.id = o.plan_id
     where o.business_id = ${businessId} and p.customer_uuid is distinct from o.customer_uuid`,
}

export function verifyPortal(db: Database): Verification {
  return async function* portal(businessId) {
    yield* brokenRules(db, businessId, RULES)
  }
}
