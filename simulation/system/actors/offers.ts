import { Money } from '#kernel/money'
import { COUPONS, POLICIES } from '../plan/draw-plans.ts'
import type { Merchant } from './merchant.ts'

export const BILLING = '/svc/billing/api/v1/openapi'

/** What plans are sold with: the ids of `COUPONS` and `POLICIES`. */
export interface Offers {
  readonly couponIds: readonly string[]
  readonly policyIds: readonly string[]
  /** Whether a plan was refused the limited coupon. */
  isExhausted: boolean
}

export async function createOffers(merchant: Merchant): Promise<Offers> {
  const couponIds: string[] = []
  for (const { basisPointsOff, offMinor, times, maxRedemptions } of COUPONS) {
    const off =
      offMinor === undefined
        ? { percent_off: Number(basisPointsOff) / 100 }
        : { amount_off: Money.ofMinor('HKD', offMinor), currency: 'HKD' }
    const { coupon } = await merchant.ok('POST', `${BILLING}/coupons`, {
      coupon: {
        name: 'Offer',
        ...off,
        ...(times !== undefined && { times }),
        ...(maxRedemptions !== undefined && { max_redemptions: maxRedemptions }),
      },
    })
    couponIds.push(coupon.id as string)
  }
  const policyIds: string[] = []
  for (const policy of POLICIES) {
    const { dunning_policy: made } = await merchant.ok('POST', `${BILLING}/dunning_policies`, {
      dunning_policy: { name: 'Retries', ...policy },
    })
    policyIds.push(made.id as string)
  }
  return { couponIds, policyIds, isExhausted: false }
}
