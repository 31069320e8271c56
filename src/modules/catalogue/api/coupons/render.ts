import type { Static } from 'typebox'
import { rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { decimalToString } from '#kernel/decimal'
import { rawNumber } from '#kernel/json'
import { type PageRequest, renderPage } from '#platform/http/validation/list'
import { type AsOf, type Coupon, type PromotionCode, redemptionState } from '../../model/coupon.ts'
import type {
  CouponData,
  CouponSchema,
  CouponsPage,
  PromotionCodeData,
  PromotionCodeSchema,
  PromotionCodesPage,
} from './schemas.ts'

export function renderCouponData({ subject, at }: AsOf<Coupon>): Static<typeof CouponData> {
  return { coupon: renderCoupon({ subject, at }) }
}

export function renderCouponsPage(
  request: PageRequest,
  { subject: found, at }: AsOf<readonly Coupon[]>,
): Static<typeof CouponsPage> {
  const { rows, page } = renderPage(request, found, createdKey, (subject) => renderCoupon({ subject, at }))
  return { coupons: rows, page }
}

export function renderPromotionCodeData({
  subject,
  at,
}: AsOf<PromotionCode>): Static<typeof PromotionCodeData> {
  return { promotion_code: renderPromotionCode({ subject, at }) }
}

export function renderPromotionCodesPage(
  request: PageRequest,
  { subject: found, at }: AsOf<readonly PromotionCode[]>,
): Static<typeof PromotionCodesPage> {
  const { rows, page } = renderPage(request, found, createdKey, (subject) =>
    renderPromotionCode({ subject, at }),
  )
  return { promotion_codes: rows, page }
}

function createdKey({ createdAt, id }: Coupon | PromotionCode) {
  return { at: createdAt, id }
}

function renderCoupon({ subject: coupon, at }: AsOf<Coupon>): Static<typeof CouponSchema> {
  return {
    ...renderCouponTerms(coupon),
    customer_uuids: coupon.customerUuids && [...coupon.customerUuids],
    minimum_amount: coupon.minimumAmount,
    first_order_only: coupon.isForFirstOrder,
    ...renderLimits({ subject: coupon, at }),
    updated_at: toRfc3339(coupon.updatedAt),
  }
}

export function renderCouponTerms(coupon: Coupon) {
  const { off } = coupon
  return {
    id: coupon.id,
    name: coupon.name,
    percent_off: off.type === 'percentage' ? rawNumber(decimalToString(off.rate)) : null,
    amount_off: off.type === 'fixed_amount' ? off.amount : null,
    currency: coupon.currency,
    times: coupon.times,
    until: rfc3339OrNull(coupon.until),
    product_ids: coupon.productIds && [...coupon.productIds],
    exclusive: coupon.isExclusive,
  }
}

function renderPromotionCode({ subject: code, at }: AsOf<PromotionCode>): Static<typeof PromotionCodeSchema> {
  return {
    id: code.id,
    coupon_id: code.couponId,
    code: code.code,
    customer_uuid: code.customerUuid,
    ...renderLimits({ subject: code, at }),
  }
}

function renderLimits({ subject, at }: AsOf<Coupon | PromotionCode>) {
  return {
    max_redemptions: subject.maxRedemptions,
    redeem_until: rfc3339OrNull(subject.redeemUntil),
    redemptions: subject.redemptions,
    state: redemptionState(subject, at),
    reference_id: subject.referenceId,
    ...(subject.metadata !== null && { metadata: subject.metadata }),
    created_at: toRfc3339(subject.createdAt),
  }
}
