import type { TableRate } from '../model/rate-table.ts'

/** The days on which rates of one country, region, category and name hold, none of which overlap. */
export class TakenDays {
  /** In the order of their days. */
  readonly #rates: TableRate[] = []

  take(rate: TableRate): void {
    this.#rates.splice(this.#firstEndingFrom(rate.validFrom), 0, rate)
  }

  /** Returns the earliest rate that holds on one of these days; undefined if the days are free. */
  firstOverlapping({ validFrom, validUntil }: TableRate): TableRate | undefined {
    const other = this.#rates[this.#firstEndingFrom(validFrom)]
    return other === undefined || (validUntil !== null && other.validFrom > validUntil) ? undefined : other
  }

  /** The position of the first that holds on the date or later. */
  #firstEndingFrom(date: string): number {
    let low = 0
    let high = this.#rates.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const until = this.#rates[middle]?.validUntil
      if (until === null || until === undefined || until >= date) high = middle
      else low = middle + 1
    }
    return low
  }
}
