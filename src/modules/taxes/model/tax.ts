import type { Decimal } from '#kernel/decimal'
import type { Money } from '#kernel/money'

export const STANDARD_TAX = 'standard'

export const TREATMENTS = ['exempt', 'reverse_charge', 'taxed', 'no_rate', 'not_registered'] as const

export type Treatment = (typeof TREATMENTS)[number]

export const TAX_BEHAVIORS = ['exclusive', 'inclusive'] as const

export type TaxBehavior = (typeof TAX_BEHAVIORS)[number]

/**
 * Where a rate of the table holds.
 * - `region`: Null for the whole country.
 * - `category`: Null for every category.
 */
export interface RateOrigin {
  readonly country: string
  readonly region: string | null
  readonly category: string | null
}

/** - `origin`: Missing for rates that an engine named, and where it was not kept yet. */
export interface NamedRate {
  readonly name: string
  readonly percentage: Decimal
  readonly origin?: RateOrigin
}

export interface TaxedAs {
  readonly treatment: Treatment
  readonly rates: readonly NamedRate[]
}

/** The lines of one document that one rate or one treatment covers. The percentage is 0 if nothing is taxed. */
export interface TaxGroup {
  readonly name: string
  readonly percentage: Decimal
  readonly treatment: Treatment
  readonly base: Money
  readonly amount: Money
}

export interface OrderTax {
  readonly behavior: TaxBehavior
  readonly total: Money
  readonly groups: readonly TaxGroup[]
}
