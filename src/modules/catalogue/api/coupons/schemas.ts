import Type from 'typebox'
import { PageSchema } from '#platform/http/validation/list'
import {
  Amount,
  AmountOut,
  MetadataBody,
  MetadataOut,
  Nullable,
  OneOf,
  Resource,
  strictObject,
  Text,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { REDEMPTION_STATES } from '../../model/coupon.ts'
import { TimeOrDate } from '#platform/http/validation/time-or-date'

const MAX_PRODUCTS = 100
const MAX_CUSTOMERS = 1_000
/** The maximum of PostgreSQL's integer. */
const MAX_COUNT = 2_147_483_647
const MAX_CODE = 100

const NullableString = Nullable(Type.String())
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

const Count = (description: string) => Type.Integer({ minimum: 1, maximum: MAX_COUNT, description })
const MaxRedemptions = Count('How often it can be attached to a plan.')
const RedeemUntil = TimeOrDate({ description: 'Until when it can be attached to a plan' })
const Name = Text({ max: 255, description: 'The label of its lines.' })
const Id = Text({ max: 255 })
const ReferenceId = Type.Optional(
  Text({ max: 255, description: 'Your own id, unique among objects of this kind.' }),
)

export const CreateCouponBody = strictObject({
  coupon: strictObject(
    {
      name: Name,
      percent_off: Type.Optional(Amount({ description: 'Above 0, at most 100, up to 6 decimals.' })),
      amount_off: Type.Optional(Amount({ description: 'Instead of percent_off, with currency.' })),
      currency: Type.Optional(
        Text({ max: 255, description: 'Of amount_off, or of minimum_amount beside percent_off.' }),
      ),
      times: Type.Optional(Count('How many periods of a plan it lowers. Without times and until: all.')),
      until: Type.Optional(TimeOrDate({ description: 'It lowers orders before this time; not with times' })),
      product_ids: Type.Optional(
        Type.Array(Id, {
          minItems: 1,
          maxItems: MAX_PRODUCTS,
          uniqueItems: true,
          description: 'It lowers only the lines of these products.',
        }),
      ),
      customer_uuids: Type.Optional(
        Type.Array(Id, {
          minItems: 1,
          maxItems: MAX_CUSTOMERS,
          uniqueItems: true,
          description: 'Only their plans can have it.',
        }),
      ),
      exclusive: Type.Optional(
        Type.Boolean({ description: 'It stands beside no other coupon. Default false.' }),
      ),
      max_redemptions: Type.Optional(MaxRedemptions),
      redeem_until: Type.Optional(RedeemUntil),
      minimum_amount: Type.Optional(
        Amount({
          description: "What a whole period must come to after the cycle's discount. Needs currency.",
        }),
      ),
      first_order_only: Type.Optional(
        Type.Boolean({
          description: 'Only while the customer has no order under any plan. Default false.',
        }),
      ),
      reference_id: ReferenceId,
      metadata: MetadataBody(),
    },
    { title: 'NewCoupon' },
  ),
})

export const EditCouponBody = strictObject({
  coupon: strictObject(
    {
      name: Type.Optional(Name),
      max_redemptions: Type.Optional(Nullable(MaxRedemptions)),
      redeem_until: Type.Optional(Nullable(RedeemUntil)),
    },
    { title: 'CouponEdit' },
  ),
})

export const CreatePromotionCodeBody = strictObject({
  promotion_code: strictObject(
    {
      coupon_id: Id,
      code: Text({ max: MAX_CODE, description: 'What customers type. Case is ignored.' }),
      max_redemptions: Type.Optional(MaxRedemptions),
      redeem_until: Type.Optional(RedeemUntil),
      customer_uuid: Type.Optional(
        Text({ max: 255, description: 'Only plans of this customer can take it.' }),
      ),
      reference_id: ReferenceId,
      metadata: MetadataBody(),
    },
    { title: 'NewPromotionCode' },
  ),
})
