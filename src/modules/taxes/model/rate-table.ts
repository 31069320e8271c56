import { decimal } from '#kernel/decimal'
import type { Address } from './party.ts'
import type { RateScope } from './tax-rate.ts'
import type { NamedRate } from './tax.ts'

/** - `percentage`: Kept as text, because most rates of a table are never used. */
export interface TableRate extends RateScope {
  readonly percentage: string
}

/** Finds the rates of lines. It scans all rates once for each day, whatever the number of lines. */
export class RateTable {
  readonly #rates: readonly TableRate[]
  readonly #days = new Map<string, ReadonlyMap<string, readonly TableRate[]>>()

  constructor(rates: readonly TableRate[]) {
    this.#rates = rates
  }

  /**
   * Returns the rates of the country and of the region together. A rate of the category replaces the general rate of the same
   * name in the same country or region.
   * @param date the order's local date
   */
  ratesOf(
    { country, region }: Pick<Address, 'country' | 'region'>,
    category: string,
    date: string,
  ): NamedRate[] {
    const holding = this.#holdingOn(date)
    const regions = region === null ? [null] : [null, region]
    return regions
      .flatMap((of) => {
        const own = holding.get(keyOf(country, of, category)) ?? []
        const names = new Set(own.map(({ name }) => name))
        const general = (holding.get(keyOf(country, of, null)) ?? []).filter(({ name }) => !names.has(name))
        return [...own, ...general].toSorted((a, b) => (a.name < b.name ? -1 : 1))
      })
      .map(({ name, percentage, ...rate }) => ({
        name,
        percentage: decimal(percentage),
        origin: { country: rate.country, region: rate.region, category: rate.category },
      }))
  }

  #holdingOn(date: string): ReadonlyMap<string, readonly TableRate[]> {
    const known = this.#days.get(date)
    if (known !== undefined) return known
    const holding = Map.groupBy(
      this.#rates.filter(
        ({ validFrom, validUntil }) => validFrom <= date && (validUntil === null || date <= validUntil),
      ),
      ({ country, region, category }) => keyOf(country, region, category),
    )
    this.#days.set(date, holding)
    return holding
  }
}

function keyOf(country: string, region: string | null, category: string | null): string {
  return JSON.stringify([country, region, category])
}
