import { type Decimal, decimal, plusDecimals } from '#kernel/decimal'
import type { TableRate } from '../model/rate-table.ts'
import type { RateScope } from '../model/tax-rate.ts'

/**
 * - `date`: The first day on which the rates hold together.
 * - `others`: What holds then beside the new rate.
 * - `sum`: Of the percentages of all of them.
 */
export interface RatesThatAddUp<Other> {
  readonly date: string
  readonly others: readonly Other[]
  readonly sum: Decimal
}

/**
 * Two general rates of one country and category tax each line together, which is seldom what is meant: most follow each other.
 * Rates of a region are meant to be added to those of the country (reference/billing-tax#rates).
 * @param others rates that hold on a day of the new one
 */
export function ratesThatAddUp<Other extends TableRate>(
  rate: RateScope & { readonly percentage: Decimal },
  others: readonly Other[],
): RatesThatAddUp<Other> | undefined {
  if (rate.region !== null) return undefined
  const beside = others.filter(
    ({ country, region, category, name }) =>
      country === rate.country && region === null && category === rate.category && name !== rate.name,
  )
  const starts = beside.map(({ validFrom }) => (validFrom < rate.validFrom ? rate.validFrom : validFrom))
  const [date] = starts.toSorted()
  if (date === undefined) return undefined
  const holding = beside.filter(
    ({ validFrom, validUntil }) => validFrom <= date && (validUntil === null || date <= validUntil),
  )
  const sum = holding.reduce((all, { percentage }) => plusDecimals(all, decimal(percentage)), rate.percentage)
  return { date, others: holding, sum }
}
