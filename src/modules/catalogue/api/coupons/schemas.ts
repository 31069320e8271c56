import Type from 'typebox'
import { PageSchema } from '#platform/http/validation/list'
import {
  AmountOut,
  MetadataOut,
  Nullable,
  NullableString,
  OneOf,
  Resource,
  strictObject,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { REDEMPTION_STATES } from '../../model/coupon.ts'
import { CouponEditSchema, NewCouponSchema, NewPromotionCodeSchema } from '../../requests/coupons.ts'

const NullableCount = Nullable(Type.Integer())
const NullableTimestamp = Nullable(TimestampOut())
const NullableIds = Nullable(Type.Array(Type.String()))

const limits = {
  max_redemptions: NullableCount,
  redeem_until: NullableTimestamp,
  redemptions: Type.Integer({ description: 'Attachments to plans, those that have ended included.' }),
  state: OneOf(REDEMPTION_STATES, { description: 'Whether it can be redeemed now.' }),
  reference_id: NullableString,
  metadata: MetadataOut(),
  created_at: TimestampOut(),
}

export const couponTerms = {
  id: Type.String(),
  name: Type.String(),
  percent_off: Nullable(AmountOut()),
  amount_off: Nullable(AmountOut()),
  currency: Nullable(Type.String({ description: 'Of amount_off and minimum_amount.' })),
  times: Nullable(Type.Integer({ description: 'How many periods of a plan it lowers.' })),
  until: Nullable(TimestampOut({ description: 'It lowers orders before this time.' })),
  product_ids: NullableIds,
  exclusive: Type.Boolean(),
}

export const CouponSchema = Resource('Coupon', {
  ...couponTerms,
  customer_uuids: NullableIds,
  minimum_amount: Nullable(AmountOut()),
  first_order_only: Type.Boolean(),
  ...limits,
  updated_at: TimestampOut(),
})

export const PromotionCodeSchema = Resource('PromotionCode', {
  id: Type.String(),
  coupon_id: Type.String(),
  code: Type.String(),
  customer_uuid: NullableString,
  ...limits,
})

export const CouponData = Type.Object({ coupon: CouponSchema })
export const CouponsPage = Type.Object({ coupons: Type.Array(CouponSchema), page: PageSchema })
export const PromotionCodeData = Type.Object({ promotion_code: PromotionCodeSchema })
const Existing = Type.Object({ id: Type.String() })
export const COUPON_EXISTS = {
  name: 'CouponExists',
  data: Type.Object({ coupon: Type.Optional(Existing) }),
}
export const PROMOTION_CODE_EXISTS = {
  name: 'PromotionCodeExists',
  data: Type.Object({ promotion_code: Type.Optional(Existing) }),
}
export const PromotionCodesPage = Type.Object({
  promotion_codes: Type.Array(PromotionCodeSchema),
  page: PageSchema,
})

export const CreateCouponBody = strictObject({ coupon: NewCouponSchema })
export const EditCouponBody = strictObject({ coupon: CouponEditSchema })
export const CreatePromotionCodeBody = strictObject({ promotion_code: NewPromotionCodeSchema })
