import Type from 'typebox'
import { Nullable, Resource, strictObject, TimestampOut } from '#platform/http/validation/schemas'
import { couponTerms } from '#modules/catalogue'
import { CouponOrCode } from '#modules/plans'

export const PlanCouponSchema = Resource('RecurringPlanCoupon', {
  ...couponTerms,
  id: Type.String({ description: 'Of the coupon.' }),
  promotion_code_id: Nullable(Type.String()),
  code: Nullable(Type.String({ description: 'The promotion code that it came by.' })),
  periods_lowered: Type.Integer({ description: 'What counts for times.' }),
  attached_at: TimestampOut(),
})

export const AttachCouponBody = strictObject({ coupon: CouponOrCode })
export const PlanCouponParams = strictObject({ id: Type.String(), coupon_id: Type.String() })
