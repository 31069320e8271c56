import type { Decimal } from '#kernel/decimal'
import { Money, sumMoney } from '#kernel/money'
import { type RateOrigin, runningShares, type TaxGroup } from '#modules/taxes'
import type { Invoice, InvoiceLine } from './invoice.ts'

/**
 * What one line adds to one tax of its document. The parts of a document sum to its taxes.
 * - `origin`: The place and category of the rate; of what is not taxed, and of an engine's taxes, the place of the document.
 * - `converted`: The same in the currency of the seller; missing where the document has none.
 */
export interface TaxPart {
  readonly group: TaxGroup
  readonly line: InvoiceLine
  readonly origin: RateOrigin
  readonly net: Money
  readonly tax: Money
  readonly converted?: { readonly net: Money; readonly tax: Money }
}

type Taxed = Pick<Invoice, 'currency' | 'lines' | 'seller' | 'buyer' | 'exchange'> & {
  readonly taxes: readonly TaxGroup[]
}

export function taxPartsOf(document: Taxed): TaxPart[] {
  const here: RateOrigin = { country: placeOf(document), region: null, category: null }
  return document.taxes.flatMap((group, place) => {
    const converted = document.exchange?.converted?.groups[place]
    const members = document.lines.flatMap((line) =>
      placesIn(line, group).map((index) => ({ line, origin: line.rates[index]?.origin ?? here })),
    )
    const lines = members.map(({ line }) => line)
    const taxes = withRest(
      group.amount,
      lines.map((line) => (line.rates.length > 1 ? undefined : line.tax)),
      lines,
    )
    const nets = withRest(
      group.base,
      lines.map(({ net }) => net),
      lines,
    )
    const convertedNets = converted && sharesOf(converted.base, nets)
    const convertedTaxes = converted && sharesOf(converted.amount, taxes)
    return members.map(({ line, origin }, index) => {
      const [net, tax] = [convertedNets?.[index], convertedTaxes?.[index]]
      return {
        group,
        line,
        origin,
        net: nets[index] ?? Money.zero(document.currency),
        tax: taxes[index] ?? Money.zero(document.currency),
        ...(net !== undefined && tax !== undefined && { converted: { net, tax } }),
      }
    })
  })
}

/** The country in which a document is taxed, if its rates name no other. */
export function placeOf({ seller, buyer }: Pick<Invoice, 'seller' | 'buyer'>): string {
  return buyer.address?.country ?? seller.address.country
}

/** Running shares, of which the last takes what amounts that cancel each other out share with nobody. */
function sharesOf(whole: Money, weights: readonly Money[]): Money[] {
  const shares = runningShares(
    whole,
    weights.map(({ minor }) => Money.ofMinor(whole.currency, minor)),
  )
  const left = whole.minus(sumMoney(whole.currency, shares))
  return shares.map((share, index) => (index === shares.length - 1 ? share.plus(left) : share))
}

/** Shares what the known amounts leave of the whole over the other lines, by their net amounts. */
function withRest(
  whole: Money,
  known: readonly (Money | undefined)[],
  lines: readonly InvoiceLine[],
): Money[] {
  const none = Money.zero(whole.currency)
  const rest = whole.minus(
    sumMoney(
      whole.currency,
      known.flatMap((amount) => amount ?? []),
    ),
  )
  const shares = runningShares(
    rest,
    lines.map(({ net }, index) => (known[index] === undefined ? net : none)),
  )
  const amounts = lines.map((_, index) => known[index] ?? shares[index] ?? none)
  // Where the net amounts cancel each other out they share nothing.
  const left = whole.minus(sumMoney(whole.currency, amounts))
  return amounts.map((amount, index) => (index === amounts.length - 1 ? amount.plus(left) : amount))
}

/**
 * Returns the places of the group's rate among those of the line: none if the line is not of the group, and two if the rates of its
 * country and its region have one name and percentage.
 */
export function placesIn({ treatment, rates }: InvoiceLine, group: TaxGroup): number[] {
  if (treatment !== group.treatment) return []
  if (rates.length === 0) return [0]
  return rates.flatMap(({ name, percentage }, place) =>
    name === group.name && percentageAtScale(percentage) === percentageAtScale(group.percentage) ? place : [],
  )
}

/** Rates have at most six decimals (reference/billing-tax#rates). */
export const RATE_DECIMALS = 6

export function percentageAtScale({ unscaled, scale }: Decimal): bigint {
  return unscaled * 10n ** BigInt(RATE_DECIMALS - scale)
}
