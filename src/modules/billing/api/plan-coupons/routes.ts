import { defineRoute, type Route } from '#platform/http/routes/route'
import { IdParams } from '#platform/http/validation/schemas'
import { attachCoupon, detachCoupon } from '../../changes/attach-coupons.ts'
import type { BillingContext } from '../../context.ts'
import { renderPlanData } from '../render.ts'
import { PlanData } from '../schemas.ts'
import { AttachCouponBody, PlanCouponParams } from './schemas.ts'

const PLANS = '/svc/payment/api/v1/openapi/recurring_payments/plan'
const TAG = 'Coupons'

export function planCouponRoutes(ctx: BillingContext): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: `${PLANS}/:id/coupons`,
      scope: 'recurring:write',
      summary: 'Attach a coupon to a plan',
      description: 'It lowers the orders from now on, after the coupons that the plan has.',
      tag: TAG,
      params: IdParams,
      body: AttachCouponBody,
      example: { coupon: 'WELCOME' },
      data: PlanData,
      handle: ({ caller, params, body }) => attachCoupon(ctx, caller, params.id, body.coupon),
      render: renderPlanData,
    }),
    defineRoute({
      method: 'DELETE',
      path: `${PLANS}/:id/coupons/:coupon_id`,
      scope: 'recurring:write',
      summary: 'Detach a coupon from a plan',
      description: 'Its redemption stays counted.',
      tag: TAG,
      params: PlanCouponParams,
      data: PlanData,
      handle: ({ caller, params }) => detachCoupon(ctx, caller, params.id, params.coupon_id),
      render: renderPlanData,
    }),
  ]
}
