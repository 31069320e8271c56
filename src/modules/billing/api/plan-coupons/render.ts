import type { Static } from 'typebox'
import { toRfc3339 } from '#kernel/clock'
import { type PlanCoupon, renderCouponTerms } from '#modules/catalogue'
import type { PlanCouponSchema } from './schemas.ts'

export function renderPlanCoupons(coupons: readonly PlanCoupon[]): Static<typeof PlanCouponSchema>[] {
  return coupons.filter(({ endedAt }) => endedAt === null).map(renderPlanCoupon)
}

function renderPlanCoupon(attached: PlanCoupon): Static<typeof PlanCouponSchema> {
  return {
    ...renderCouponTerms(attached.coupon),
    promotion_code_id: attached.code?.id ?? null,
    code: attached.code?.code ?? null,
    periods_lowered: attached.periodsLowered,
    attached_at: toRfc3339(attached.attachedAt),
  }
}
