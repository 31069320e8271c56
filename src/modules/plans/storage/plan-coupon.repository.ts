import sql, { type Sql } from 'sql-template-tag'
import { type Instant, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { isOneOf, rowsAs } from '#platform/postgres/rows'
import { COUPONS, type PlanCoupon } from '#modules/catalogue'

interface JoinedPlanCoupon {
  plan_id: string
  position: number
  promotion_code_id: string | null
  code: string | null
  periods_lowered: number
  lowered_period: Instant | null
  attached_at: Instant
}

/** Returns the coupons of each plan that have not ended, in the order of attachment. */
export async function findPlanCoupons(
  tx: Tx,
  planIds: readonly string[],
): Promise<Map<string, PlanCoupon[]>> {
  if (planIds.length === 0) return new Map()
  const rows = await tx.query<JoinedPlanCoupon>(sql`
    select a.plan_id, a.position, a.promotion_code_id, p.code, a.periods_lowered, a.lowered_period, a.attached_at,
           ${COUPONS.columns}
      from recurring_plan_coupons a
      join coupons c on c.business_id = a.business_id and c.id = a.coupon_id
      left join promotion_codes p on p.business_id = a.business_id and p.id = a.promotion_code_id
     where a.business_id = ${tx.businessId} and ${isOneOf(sql`a.plan_id`, planIds)} and a.ended_at is null
     order by a.plan_id, a.position`)
  const byPlan = Map.groupBy(rows, (row) => row.plan_id)
  return new Map([...byPlan].map(([planId, ofPlan]) => [planId, ofPlan.map(toPlanCoupon)]))
}

/** Coupons that have ended keep their positions. */
export async function nextCouponPosition(tx: Tx, planId: string): Promise<number> {
  const [row] = await tx.query<{ next: number }>(sql`
    select coalesce(max(position) + 1, 0) as next from recurring_plan_coupons
     where business_id = ${tx.businessId} and plan_id = ${planId}`)
  return row?.next ?? 0
}

export interface CouponOfPlan extends PlanCoupon {
  readonly planId: string
}

const newCoupons = rowsAs<CouponOfPlan>('n', {
  plan_id: ['text', (a) => a.planId],
  position: ['integer', (a) => a.position],
  coupon_id: ['text', (a) => a.coupon.id],
  promotion_code_id: ['text', (a) => a.code?.id ?? null],
  attached_at: ['timestamptz', (a) => toRfc3339(a.attachedAt)],
})

export async function insertPlanCoupons(tx: Tx, attached: readonly CouponOfPlan[]): Promise<void> {
  if (attached.length === 0) return
  await tx.execute(sql`
    insert into recurring_plan_coupons (business_id, plan_id, position, coupon_id, promotion_code_id, attached_at)
    select ${tx.businessId}, n.* from ${newCoupons(attached)}`)
}

const changedCoupons = rowsAs<CouponOfPlan>('n', {
  plan_id: ['text', (a) => a.planId],
  position: ['integer', (a) => a.position],
  periods_lowered: ['integer', (a) => a.periodsLowered],
  lowered_period: ['timestamptz', (a) => rfc3339OrNull(a.loweredPeriod)],
  ended_at: ['timestamptz', (a) => rfc3339OrNull(a.endedAt)],
})

export async function updatePlanCoupons(tx: Tx, changed: readonly CouponOfPlan[]): Promise<void> {
  if (changed.length === 0) return
  await tx.execute(sql`
    update recurring_plan_coupons a
       set periods_lowered = n.periods_lowered, lowered_period = n.lowered_period, ended_at = n.ended_at
      from ${changedCoupons(changed)}
     where a.business_id = ${tx.businessId} and a.plan_id = n.plan_id and a.position = n.position`)
}

export async function markPlanWithCoupons(tx: Tx, planId: string): Promise<void> {
  await tx.execute(sql`
    update recurring_plans set has_coupons = true where business_id = ${tx.businessId} and id = ${planId}`)
}

export async function hasOrderUnderPlan(tx: Tx, customerUuid: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select from recurring_plans
     where business_id = ${tx.businessId} and customer_uuid = ${customerUuid} and last_suffix > 0
     limit 1`)
  return rows.length > 0
}

export const HAS_ANY_COUPON = sql`exists (select from recurring_plan_coupons a
   where a.business_id = p.business_id and a.plan_id = p.id and a.ended_at is null)`
export function hasPlanCoupon(couponId: string): Sql {
  return sql`exists (select from recurring_plan_coupons a
                      where a.business_id = p.business_id and a.plan_id = p.id and a.coupon_id = ${couponId}
                        and a.ended_at is null)`
}

function toPlanCoupon(row: JoinedPlanCoupon): PlanCoupon {
  return {
    position: row.position,
    coupon: COUPONS.read(row),
    code:
      row.promotion_code_id === null || row.code === null
        ? null
        : { id: row.promotion_code_id, code: row.code },
    periodsLowered: row.periods_lowered,
    loweredPeriod: row.lowered_period,
    attachedAt: row.attached_at,
    endedAt: null,
  }
}
