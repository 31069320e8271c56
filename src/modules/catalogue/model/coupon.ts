import { type Instant, isAfter } from '#kernel/clock'
import type { Money } from '#kernel/money'
import type { Metadata } from '#platform/http/validation/metadata'
import type { CouponTerms } from './line.ts'

/**
 * How often and until when something can be attached to a plan.
 */
interface Redemption {
  readonly maxRedemptions: number | null
  readonly redeemUntil: Instant | null
  readonly redemptions: number
}

/**
 * What lowers the orders of a plan (reference/billing-coupons#coupons).
 * - `currency`: Of a fixed amount, or of `minimumAmount`.
 * - `times`: How many periods of a plan it lowers.
 * - `until`: It lowers orders before this time.
 * - `minimumAmount`: Of a whole period after the cycle's discount.
 */
export interface Coupon extends CouponTerms, Redemption {
  readonly currency: string | null
  readonly times: number | null
  readonly until: Instant | null
  readonly customerUuids: readonly string[] | null
  readonly isExclusive: boolean
  readonly minimumAmount: Money | null
  readonly isForFirstOrder: boolean
  readonly referenceId: string | null
  readonly metadata: Metadata
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

export interface PromotionCode extends Redemption {
  readonly id: string
  readonly couponId: string
  readonly code: string
  readonly customerUuid: string | null
  readonly referenceId: string | null
  readonly metadata: Metadata
  readonly createdAt: Instant
}

/**
 * A coupon of a plan.
 * - `position`: In the order of attachment.
 * - `loweredPeriod`: The start of the last period that it lowered.
 * - `endedAt`: When it was detached, or was found to be used up.
 */
export interface PlanCoupon {
  readonly position: number
  readonly coupon: Coupon
  readonly code: Pick<PromotionCode, 'id' | 'code'> | null
  readonly periodsLowered: number
  readonly loweredPeriod: Instant | null
  readonly attachedAt: Instant
  readonly endedAt: Instant | null
}

/** - `at`: When it was read. Its state depends on that. */
export interface AsOf<Subject> {
  readonly subject: Subject
  readonly at: Instant
}

/** The bound of reference/recurring#plans. */
export const MAX_PLAN_COUPONS = 20

export type CouponEvent = 'coupon.created' | 'coupon.updated'

export const REDEMPTION_STATES = ['active', 'expired', 'exhausted'] as const

export function redemptionState(
  redemption: Redemption & { readonly until?: Instant | null },
  at: Instant,
): (typeof REDEMPTION_STATES)[number] {
  const { maxRedemptions, redeemUntil, redemptions, until = null } = redemption
  if (hasPassed(redeemUntil, at) || hasPassed(until, at)) return 'expired'
  return maxRedemptions !== null && redemptions >= maxRedemptions ? 'exhausted' : 'active'
}

export function hasPassed(until: Instant | null, at: Instant): boolean {
  return until !== null && !isAfter(until, at)
}

export function codeKey(code: string): string {
  return code.toLowerCase()
}
