import Type from 'typebox'
import { Nullable, Resource, strictObject, Text, TimestampOut } from '#platform/http/validation/schemas'
import { couponTerms } from '#modules/catalogue'

export const PlanCouponSchema = Resource('RecurringPlanCoupon', {
  ...couponTerms,
  id: Type.String({ description: 'Of the coupon.' }),
  promotion_code_id: Nullable(Type.String()),
  code: Nullable(Type.String({ description: 'The promotion code that it came by.' })),
  periods_lowered: Type.Integer({ description: 'What counts for times.' }),
  attached_at: TimestampOut(),
})

export const CouponOrCode = Text({ max: 255, description: 'The id of a coupon, or a promotion code.' })

export const AttachCouponBody = strictObject({ coupon: CouponOrCode })
export const PlanCouponParams = strictObject({ id: Type.String(), coupon_id: Type.String() })
