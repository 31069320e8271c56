import {
  compareDecimals,
  type Decimal,
  decimal,
  minusDecimals,
  plusDecimals,
  timesDecimals,
} from '#kernel/decimal'
import { Money } from '#kernel/money'

export const PRICE_MODELS = ['flat', 'per_unit', 'volume', 'graduated', 'package'] as const

export type PriceModel = (typeof PRICE_MODELS)[number]

/**
 * How a quantity becomes an amount (reference/billing-catalogue#models).
 * - `tiers`: `upTo` rises; the last one's is null.
 */
export type Pricing =
  | { readonly model: 'flat' | 'per_unit'; readonly unitAmount: Decimal }
  | { readonly model: 'package'; readonly unitAmount: Decimal; readonly packageSize: number }
  | { readonly model: 'volume' | 'graduated'; readonly tiers: readonly Tier[] }

/** - `upTo`: The last quantity of the tier; null without an end. */
export interface Tier {
  readonly upTo: Decimal | null
  readonly unitAmount: Decimal
  readonly flatAmount: Decimal | null
}

const NOTHING = decimal(0)

export function amountOf(pricing: Pricing, quantity: Decimal, currency: string): Money {
  return Money.rounded(currency, exactAmountOf(pricing, quantity))
}

/** The price of one unit at this quantity; undefined if the amount is not the quantity times a price. */
export function unitAmountAt(pricing: Pricing, quantity: Decimal): Decimal | undefined {
  if (pricing.model === 'per_unit') return pricing.unitAmount
  if (pricing.model !== 'volume') return undefined
  const { unitAmount, flatAmount } = tierOf(pricing.tiers, quantity)
  return flatAmount === null ? unitAmount : undefined
}

function exactAmountOf(pricing: Pricing, quantity: Decimal): Decimal {
  switch (pricing.model) {
    case 'flat':
      return pricing.unitAmount
    case 'per_unit':
      return timesDecimals(quantity, pricing.unitAmount)
    case 'package':
      return timesDecimals(packagesFor(quantity, pricing.packageSize), pricing.unitAmount)
    case 'volume': {
      const tier = tierOf(pricing.tiers, quantity)
      return plusDecimals(timesDecimals(quantity, tier.unitAmount), tier.flatAmount ?? NOTHING)
    }
    case 'graduated':
      return graduatedAmount(pricing.tiers, quantity)
  }
}

function packagesFor({ unscaled, scale }: Decimal, size: number): Decimal {
  const whole = BigInt(size) * 10n ** BigInt(scale)
  return { unscaled: (unscaled + whole - 1n) / whole, scale: 0 }
}

function tierOf(tiers: readonly Tier[], quantity: Decimal): Tier {
  const tier = tiers.find(({ upTo }) => upTo === null || compareDecimals(quantity, upTo) <= 0)
  if (tier === undefined) throw new Error('the last tier has an end')
  return tier
}

/** A quantity of 0 is in the first tier. */
function graduatedAmount(tiers: readonly Tier[], quantity: Decimal): Decimal {
  let total = NOTHING
  let below = NOTHING
  for (const [index, { upTo, unitAmount, flatAmount }] of tiers.entries()) {
    if (index > 0 && compareDecimals(quantity, below) <= 0) break
    const end = upTo === null || compareDecimals(quantity, upTo) < 0 ? quantity : upTo
    const slice = timesDecimals(minusDecimals(end, below), unitAmount)
    total = plusDecimals(plusDecimals(total, slice), flatAmount ?? NOTHING)
    below = end
  }
  return total
}
