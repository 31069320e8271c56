import Type, { type Static } from 'typebox'
import {
  Amount,
  MAX_INTEGER,
  MetadataBody,
  Nullable,
  strictObject,
  Text,
  ReferenceId,
} from '#platform/http/validation/schemas'
import { TimeOrDate } from '#platform/http/validation/time-or-date'

const MAX_PRODUCTS = 100
const MAX_CUSTOMERS = 1_000
/** The bound of reference/billing-coupons#promotion-codes. */
const MAX_CODE = 100

const Count = (description: string) => Type.Integer({ minimum: 1, maximum: MAX_INTEGER, description })
const MaxRedemptions = Count('How often it can be attached to a plan.')
const RedeemUntil = TimeOrDate({ description: 'Until when it can be attached to a plan' })
const Name = Text({ max: 255, description: 'The label of its lines.' })
const Id = Text({ max: 255 })
export const NewCouponSchema = strictObject(
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
    reference_id: Type.Optional(ReferenceId),
    metadata: MetadataBody(),
  },
  { title: 'NewCoupon' },
)
export type NewCoupon = Static<typeof NewCouponSchema>

export const CouponEditSchema = strictObject(
  {
    name: Type.Optional(Name),
    max_redemptions: Type.Optional(Nullable(MaxRedemptions)),
    redeem_until: Type.Optional(Nullable(RedeemUntil)),
  },
  { title: 'CouponEdit' },
)
export type CouponEdit = Static<typeof CouponEditSchema>

export const NewPromotionCodeSchema = strictObject(
  {
    coupon_id: Id,
    code: Text({ max: MAX_CODE, description: 'What customers type. Case is ignored.' }),
    max_redemptions: Type.Optional(MaxRedemptions),
    redeem_until: Type.Optional(RedeemUntil),
    customer_uuid: Type.Optional(Text({ max: 255, description: 'Only plans of this customer can take it.' })),
    reference_id: Type.Optional(ReferenceId),
    metadata: MetadataBody(),
  },
  { title: 'NewPromotionCode' },
)
export type NewPromotionCode = Static<typeof NewPromotionCodeSchema>
