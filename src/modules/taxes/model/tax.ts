import type { Decimal } from '#kernel/decimal'
import type { Money } from '#kernel/money'

export const TREATMENTS = ['exempt', 'reverse_charge', 'taxed', 'no_rate', 'not_registered'] as const

export type Treatment = (typeof TREATMENTS)[number]

export type TaxBehavior = 'exclusive' | 'inclusive'

/** The lines of one document that one rate or one treatment covers. A percentage of 0 where nothing is taxed. */
export interface TaxGroup {
  readonly name: string
  readonly percentage: Decimal
  readonly treatment: Treatment
  readonly base: Money
  readonly amount: Money
}

/** What an order shows as `billing.tax`. */
export interface OrderTax {
  readonly behavior: TaxBehavior
  readonly total: Money
  readonly groups: readonly TaxGroup[]
}

/** One line's part of the tax: amounts of all lines sum to the groups. */
export interface LineTax {
  readonly lineId: string
  readonly net: Money
  readonly tax: Money
  readonly rates: readonly { readonly name: string; readonly percentage: Decimal }[]
  readonly treatment: Treatment
}
