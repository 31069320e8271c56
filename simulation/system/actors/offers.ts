import { Money } from '#kernel/money'
import { SERIES, TAX_PERCENT } from '../plan/draw-invoices.ts'
import { COUPONS, POLICIES, PRICES_HKD_MINOR } from '../plan/draw-plans.ts'
import type { Merchant } from './merchant.ts'

export const BILLING = '/svc/billing/api/v1/openapi'

/**
 * What plans are sold with: the ids of `COUPONS` and `POLICIES`, who invoices them, and the same prices with the tax in them.
 */
export interface Offers {
  readonly couponIds: readonly string[]
  readonly policyIds: readonly string[]
  readonly entityId: string
  readonly inclusivePriceIds: readonly string[]
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
  return {
    couponIds,
    policyIds,
    entityId: await createSeller(merchant),
    inclusivePriceIds: await createInclusivePrices(merchant),
    isExhausted: false,
  }
}

async function createSeller(merchant: Merchant): Promise<string> {
  const { legal_entity: entity } = await merchant.ok('POST', `${BILLING}/legal_entities`, {
    legal_entity: {
      name: 'Seller',
      address: { line1: "1 Queen's Road", postal_code: '999077', city: 'Hong Kong', country: 'HK' },
      registrations: [{ country: 'HK' }],
      currency: 'HKD',
      series: SERIES,
    },
  })
  await merchant.ok('POST', `${BILLING}/tax_rates`, {
    tax_rate: { name: 'Tax', country: 'HK', percentage: TAX_PERCENT, valid_from: '2000-01-01' },
  })
  return entity.id as string
}

async function createInclusivePrices(merchant: Merchant): Promise<string[]> {
  const { product } = await merchant.ok('POST', `${BILLING}/products`, { product: { name: 'Membership' } })
  const ids: string[] = []
  for (const minor of PRICES_HKD_MINOR) {
    const { price } = await merchant.ok('POST', `${BILLING}/prices`, {
      price: {
        product_id: product.id,
        currency: 'HKD',
        model: 'per_unit',
        unit_amount: Money.ofMinor('HKD', minor),
        tax_behavior: 'inclusive',
      },
    })
    ids.push(price.id as string)
  }
  return ids
}
