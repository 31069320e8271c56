import { type Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import {
  type Coupon,
  type CycleItem,
  type Discount,
  hasPassed,
  type PlanCoupon,
  pricedItem,
} from '#modules/catalogue'
import type { PlanAggregate } from '../model/plan.ts'
import { billingAmount } from './order-lines.ts'

export function reachesMinimum({ minimumAmount }: Coupon, periodAmount: Money): boolean {
  return minimumAmount === null || !periodAmount.lessThan(minimumAmount)
}

/** - `start`: Of the period that the order belongs to. */
interface OrderOfPeriod {
  readonly start: Instant
  readonly at: Instant
}

/** The coupons that lower an order or the charges of a change, in the order of attachment. */
export function couponsOf(
  { plan, coupons }: PlanAggregate,
  items: readonly CycleItem[],
  discount: Discount | null,
  { start, at }: OrderOfPeriod,
): readonly Coupon[] {
  if (coupons.length === 0) return []
  const periodAmount = billingAmount(items.map(pricedItem), discount, plan.credit.currency)
  return coupons.flatMap((attached) => {
    const { coupon, endedAt } = attached
    const lowers = endedAt === null && !isUsedUp(attached, start, at) && reachesMinimum(coupon, periodAmount)
    return lowers ? [coupon] : []
  })
}

/**
 * Counts the period for the coupons that lowered it, and ends coupons that are used up. A coupon that lowers several orders
 * of the period counts once. @param lowering the ids of coupons
 */
export function withPeriodLowered(
  aggregate: PlanAggregate,
  { start, at }: OrderOfPeriod,
  lowering: readonly string[],
): PlanAggregate {
  const coupons = aggregate.coupons.map((attached) => {
    if (attached.endedAt !== null) return attached
    if (isUsedUp(attached, start, at)) return { ...attached, endedAt: at }
    if (!lowering.includes(attached.coupon.id) || isOfPeriod(attached, start)) return attached
    return { ...attached, periodsLowered: attached.periodsLowered + 1, loweredPeriod: start }
  })
  const isSame = coupons.every((coupon, index) => coupon === aggregate.coupons[index])
  return isSame ? aggregate : { ...aggregate, coupons }
}

function isUsedUp(attached: PlanCoupon, start: Instant, at: Instant): boolean {
  const { times, until } = attached.coupon
  if (hasPassed(until, at)) return true
  return times !== null && attached.periodsLowered >= times && !isOfPeriod(attached, start)
}

function isOfPeriod({ loweredPeriod }: PlanCoupon, start: Instant): boolean {
  return loweredPeriod !== null && loweredPeriod.equals(start)
}
