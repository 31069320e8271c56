import { type Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import type { Refused } from '#kernel/refusal'
import {
  type Coupon,
  type CycleItem,
  hasPassed,
  MAX_PLAN_COUPONS,
  type PlanCoupon,
  type PromotionCode,
  redemptionState,
} from '#modules/catalogue'
import { reachesMinimum } from '../amounts/lowering-coupons.ts'
import { covers } from '../amounts/order-lines.ts'

/** Decides whether a plan may get a coupon, and whether the coupon may still be redeemed (reference/billing-coupons). */

export interface Redeemable {
  readonly coupon: Coupon
  readonly code: PromotionCode | null
}

/**
 * What a coupon must fit.
 * - `items`: Of the current cycle and those after it.
 * - `periodAmount`: A whole period of the current cycle after its discount.
 * - `hasOrdered`: The customer has an order under a plan.
 */
export interface CouponGround {
  readonly customerUuid: string
  readonly items: readonly (readonly CycleItem[])[]
  readonly periodAmount: Money
  readonly hasOrdered: boolean
  readonly at: Instant
}

type RedemptionRefusal = Refused<'coupon_expired' | 'coupon_exhausted'>

export function refuseUnlessAttachable(
  redeemable: Redeemable,
  attached: readonly PlanCoupon[],
  ground: CouponGround,
  param: string,
):
  | RedemptionRefusal
  | Refused<'coupon_invalid' | 'coupon_attached' | 'coupon_not_combinable' | 'coupon_not_applicable'>
  | null {
  const { coupon } = redeemable
  const { currency } = ground.periodAmount
  if (coupon.currency !== null && coupon.currency !== currency) {
    const message = `The coupon is in ${coupon.currency}, but the plan bills in ${currency}.`
    return { refused: 'coupon_invalid', param, message }
  }
  if (attached.some((other) => other.coupon.id === coupon.id)) return { refused: 'coupon_attached', param }
  const refused = refuseUnlessRedeemable(redeemable, ground.at, param)
  if (refused !== null) return refused
  const others = attached.filter((other) => !hasPassed(other.coupon.until, ground.at))
  const conflict = whyNotCombinable(coupon, others)
  if (conflict !== null) return { refused: 'coupon_not_combinable', param, message: conflict }
  const reason = whyNotApplicable(redeemable, ground)
  return reason === null ? null : { refused: 'coupon_not_applicable', param, message: reason }
}

export function refuseUnlessRedeemable(
  { coupon, code }: Redeemable,
  at: Instant,
  param: string,
): RedemptionRefusal | null {
  for (const [redemption, name] of [
    [coupon, 'The coupon'],
    [code, 'The promotion code'],
  ] as const) {
    const state = redemption === null ? 'active' : redemptionState(redemption, at)
    if (state === 'expired') {
      const message = `${name} can no longer be redeemed: its time has passed.`
      return { refused: 'coupon_expired', param, message }
    }
    if (state === 'exhausted') {
      return { refused: 'coupon_exhausted', param, message: `${name} has no redemption left.` }
    }
  }
  return null
}

function whyNotCombinable(coupon: Coupon, others: readonly PlanCoupon[]): string | null {
  if (others.length >= MAX_PLAN_COUPONS) {
    return `The plan already has ${MAX_PLAN_COUPONS} coupons, which is the maximum.`
  }
  if (coupon.isExclusive && others.length > 0) {
    return 'The coupon is exclusive, but the plan has other coupons.'
  }
  return others.some((other) => other.coupon.isExclusive) ? 'The plan has an exclusive coupon.' : null
}

function whyNotApplicable({ coupon, code }: Redeemable, ground: CouponGround): string | null {
  const { customerUuid, items, periodAmount, hasOrdered } = ground
  const isOfOther = code?.customerUuid != null && code.customerUuid !== customerUuid
  if (isOfOther || coupon.customerUuids?.includes(customerUuid) === false) {
    return 'The coupon is for other customers.'
  }
  if (!items.flat().some(({ item }) => covers(coupon, item.productId))) {
    return 'The coupon applies to no product of the plan.'
  }
  if (!reachesMinimum(coupon, periodAmount)) {
    return `A period of the plan comes to ${periodAmount.toString()}, but the coupon requires at least ${coupon.minimumAmount?.toString()}.`
  }
  if (coupon.isForFirstOrder && hasOrdered)
    return 'The coupon is for the first order only, and the customer has had it.'
  return null
}
