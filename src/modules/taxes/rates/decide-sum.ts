import { type Decimal, decimal, decimalToString, plusDecimals } from '#kernel/decimal'
import { rawNumber } from '#kernel/json'
import type { Refused } from '#kernel/refusal'
import type { TableRate } from '../model/rate-table.ts'
import type { RateScope } from '../model/tax-rate.ts'

type NamedRate = TableRate & { readonly id: string }

/**
 * Two general rates of one country and category tax each line together, which is seldom what is meant: most follow each other.
 * Rates of a region are meant to be added to those of the country (reference/billing-tax#rates).
 * @param others rates that hold on a day of the new one
 */
export function refuseSum(
  rate: RateScope & { readonly percentage: Decimal },
  others: readonly NamedRate[],
): Refused<'tax_rate_adds_up'> | null {
  if (rate.region !== null) return null
  const beside = others.filter(
    ({ country, region, category, name }) =>
      country === rate.country && region === null && category === rate.category && name !== rate.name,
  )
  const starts = beside.map(({ validFrom }) => (validFrom < rate.validFrom ? rate.validFrom : validFrom))
  // The first day on which the rates hold together.
  const [date] = starts.toSorted()
  if (date === undefined) return null
  const holding = beside.filter(
    ({ validFrom, validUntil }) => validFrom <= date && (validUntil === null || date <= validUntil),
  )
  const sum = decimalToString(
    holding.reduce((all, { percentage }) => plusDecimals(all, decimal(percentage)), rate.percentage),
  )
  const names = holding.map((other) => rateLabel(other.name, other.percentage)).join(', ')
  return {
    refused: 'tax_rate_adds_up',
    message: `From ${date} lines would pay ${sum}%: ${rateLabel(rate.name, decimalToString(rate.percentage))} beside ${names}.`,
    data: {
      rates: holding.map((other) => ({
        id: other.id,
        name: other.name,
        percentage: rawNumber(other.percentage),
        valid_from: other.validFrom,
        valid_until: other.validUntil,
      })),
      sum: rawNumber(sum),
    },
  }
}

function rateLabel(name: string, percentage: string): string {
  return `${name} ${percentage}%`
}
