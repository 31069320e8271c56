import { compareDecimals, type Decimal, decimal, isDecimalProblem, parseDecimal } from '#kernel/decimal'
import type { RequestError } from '#kernel/errors'
import type { ExactNumber } from '#kernel/json'
import { Money, parseMoney } from '#kernel/money'
import { errors } from '../errors.ts'
import { amountOf, type PriceModel, type Pricing, type Tier } from '../model/pricing.ts'

type NumberMember = number | ExactNumber | Decimal

export interface PricingMembers {
  readonly model: PriceModel
  readonly unit_amount?: NumberMember
  readonly package_size?: number
  readonly tiers?: readonly TierMembers[]
}

interface TierMembers {
  readonly up_to: NumberMember | null
  readonly unit_amount: NumberMember
  readonly flat_amount?: NumberMember | null
}

const BOUNDS = { beforePoint: 15, afterPoint: 12 }
const NOTHING = decimal(0)

/** Reads what one price needs of the members. @throws 422 `price_inconsistent` names the member */
export function readPricing({ model, unit_amount, package_size, tiers }: PricingMembers): Pricing {
  if (model === 'volume' || model === 'graduated') {
    if (unit_amount !== undefined) throw inconsistent('unit_amount', `cannot be sent with model ${model}`)
    if (package_size !== undefined) throw inconsistent('package_size', `cannot be sent with model ${model}`)
    if (tiers === undefined) throw inconsistent('tiers', `is needed for model ${model}`)
    return { model, tiers: readTiers(tiers) }
  }
  if (tiers !== undefined) throw inconsistent('tiers', `cannot be sent with model ${model}`)
  if (unit_amount === undefined) throw inconsistent('unit_amount', `is needed for model ${model}`)
  const unitAmount = readNumber(unit_amount, 'unit_amount')
  if (model === 'package') {
    if (package_size === undefined) throw inconsistent('package_size', 'is needed for model package')
    return { model, unitAmount, packageSize: package_size }
  }
  if (package_size !== undefined) throw inconsistent('package_size', `cannot be sent with model ${model}`)
  return { model, unitAmount }
}

/** The members of a price that another one of this model takes over. */
export function pricingMembersOf(pricing: Pricing, model: PriceModel = pricing.model): PricingMembers {
  const isTiered = model === 'volume' || model === 'graduated'
  if ('tiers' in pricing) return { model, ...(isTiered && { tiers: pricing.tiers.map(tierMembersOf) }) }
  return {
    model,
    ...(!isTiered && { unit_amount: pricing.unitAmount }),
    ...(pricing.model === 'package' && model === 'package' && { package_size: pricing.packageSize }),
  }
}

export function priceOfOne(pricing: Pricing, currency: string): Money {
  const price = amountOf(pricing, decimal(1), currency)
  if (parseMoney(currency, price.toString()) instanceof Money) return price
  throw inconsistent('tiers' in pricing ? 'tiers' : 'unit_amount', 'makes one unit too expensive')
}

function tierMembersOf({ upTo, unitAmount, flatAmount }: Tier): TierMembers {
  return { up_to: upTo, unit_amount: unitAmount, flat_amount: flatAmount }
}

function readTiers(tiers: readonly TierMembers[]): Tier[] {
  const read: Tier[] = []
  for (const [index, { up_to, unit_amount, flat_amount = null }] of tiers.entries()) {
    const at = `tiers[${index}]`
    const isLast = index === tiers.length - 1
    if (isLast !== (up_to === null)) {
      throw inconsistent(
        `${at}.up_to`,
        isLast ? 'must be null in the last tier' : 'can be null in the last tier only',
      )
    }
    const upTo = up_to === null ? null : readNumber(up_to, `${at}.up_to`)
    const before = read.at(-1)?.upTo
    if (upTo !== null && before != null && compareDecimals(upTo, before) <= 0) {
      throw inconsistent(`${at}.up_to`, 'must be more than up_to of the tier before')
    }
    read.push({
      upTo,
      unitAmount: readNumber(unit_amount, `${at}.unit_amount`),
      flatAmount: flat_amount === null ? null : readNumber(flat_amount, `${at}.flat_amount`),
    })
  }
  return read
}

function readNumber(value: NumberMember, member: string): Decimal {
  const isRead = typeof value === 'object' && 'unscaled' in value
  const read = isRead ? value : parseDecimal(value, BOUNDS)
  if (isDecimalProblem(read)) throw inconsistent(member, read.message)
  if (compareDecimals(read, NOTHING) < 0) throw inconsistent(member, 'must not be negative')
  return read
}

function inconsistent(member: string, rule: string): RequestError {
  const param = `price.${member}`
  return errors.price_inconsistent({ param, message: `${param} ${rule}.` })
}
