import type { TableRate } from '../model/rate-table.ts'
import { TakenDays } from './taken-days.ts'

/** General rates of one country and category. Those of one name do not overlap. */
export class GeneralRates {
  readonly #days = new Map<string, TakenDays>()

  add(rate: TableRate): void {
    const days = this.#days.get(rate.name) ?? new TakenDays()
    this.#days.set(rate.name, days)
    days.take(rate)
  }

  /** Returns a rate of another name that holds on a day of the rate. */
  beside(rate: TableRate): TableRate | undefined {
    for (const [name, days] of this.#days) {
      const other = name === rate.name ? undefined : days.firstOverlapping(rate)
      if (other !== undefined) return other
    }
    return undefined
  }
}
