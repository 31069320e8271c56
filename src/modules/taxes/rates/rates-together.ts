import { setImmediate } from 'node:timers/promises'
import type { RateScope } from '../model/tax-rate.ts'

/** The bound of reference/billing-tax#rates. */
export const MAX_RATES_TOGETHER = 20

/** A line that more than `MAX_RATES_TOGETHER` rates would tax, and one of the added rates among them. */
export interface CrowdedLine<Rate> {
  readonly rate: Rate
  readonly region: string | null
  readonly category: string | null
  readonly date: string
}

/** Rates looked at between two turns of the event loop, at some microseconds each. */
const LOOKS_A_TURN = 1_000

/**
 * Finds a line that too many rates of a country would tax together, `added` among them. A general rate and a rate of a category
 * count once if they have the same name and region, because one replaces the other.
 * @param rates all of the country, `added` among them; no two of one `overlapKey` overlap
 */
export async function findCrowdedLine<Rate extends RateScope>(
  rates: readonly Rate[],
  added: Pick<ReadonlySet<Rate>, 'has'>,
): Promise<CrowdedLine<Rate> | undefined> {
  const starts = new Map<string, Rate[]>()
  const ends = new Map<string, Rate[]>()
  const holding = new RatesOfDay(added)
  for (const rate of rates) {
    addTo(starts, rate.validFrom, rate)
    if (rate.validUntil !== null) addTo(ends, rate.validUntil, rate)
    if (holding.needsTurn()) await setImmediate()
  }
  const lastDays = [...ends.keys()].toSorted()
  let ended = 0
  for (const date of [...starts.keys()].toSorted()) {
    for (let day = lastDays[ended]; day !== undefined && day < date; day = lastDays[++ended]) {
      for (const rate of ends.get(day) ?? []) {
        holding.remove(rate)
        if (holding.needsTurn()) await setImmediate()
      }
    }
    const beginning = starts.get(date) ?? []
    for (const rate of beginning) {
      holding.add(rate)
      if (holding.needsTurn()) await setImmediate()
    }
    const crowded = await holding.crowdedLine(new Set(beginning.map(({ region }) => region)))
    if (crowded !== undefined) return { ...crowded, date }
  }
  return undefined
}

function addTo<Rate>(days: Map<string, Rate[]>, date: string, rate: Rate): void {
  const ofDay = days.get(date)
  if (ofDay === undefined) days.set(date, [rate])
  else ofDay.push(rate)
}

/** The rates of a country that hold on a day. */
class RatesOfDay<Rate extends RateScope> {
  readonly #added: Pick<ReadonlySet<Rate>, 'has'>
  readonly #country = new RegionRates<Rate>()
  readonly #regions = new Map<string, RegionRates<Rate>>()
  /** The category of most country-wide rates; unknown after those have changed. */
  #fullest: { readonly category: string | null } | undefined
  #addedHolding = 0
  #looks = 0

  constructor(added: Pick<ReadonlySet<Rate>, 'has'>) {
    this.#added = added
  }

  add(rate: Rate): void {
    this.#changing(rate).add(rate)
    if (this.#added.has(rate)) this.#addedHolding += 1
  }

  remove(rate: Rate): void {
    this.#changing(rate).remove(rate)
    if (this.#added.has(rate)) this.#addedHolding -= 1
  }

  /** Checks the lines of regions whose rates have changed. After a change of a country-wide rate these are all regions. */
  async crowdedLine(
    touched: ReadonlySet<string | null>,
  ): Promise<Omit<CrowdedLine<Rate>, 'date'> | undefined> {
    if (this.#addedHolding === 0) return undefined
    const isCountryTouched = touched.has(null)
    if (isCountryTouched) {
      const crowded = this.#crowdedIn(null, this.#country.categories())
      if (crowded !== undefined) return crowded
    }
    for (const region of isCountryTouched ? this.#regions.keys() : touched) {
      const own = region === null ? undefined : this.#regions.get(region)
      if (own === undefined) continue
      const crowded = this.#crowdedIn(region, [this.#fullestCategory(), ...own.categories()])
      if (crowded !== undefined) return crowded
      if (this.needsTurn()) await setImmediate()
    }
    return undefined
  }

  /** Whether the event loop gets a turn after this check. */
  needsTurn(): boolean {
    this.#looks += 1
    if (this.#looks < LOOKS_A_TURN) return false
    this.#looks = 0
    return true
  }

  #changing({ region }: Rate): RegionRates<Rate> {
    if (region === null) {
      this.#fullest = undefined
      return this.#country
    }
    const known = this.#regions.get(region)
    if (known !== undefined) return known
    const made = new RegionRates<Rate>()
    this.#regions.set(region, made)
    return made
  }

  #fullestCategory(): string | null {
    if (this.#fullest === undefined) {
      let category: string | null = null
      for (const other of this.#country.categories()) {
        if (this.#count(this.#country, other) > this.#country.countOf(category)) category = other
      }
      this.#fullest = { category }
    }
    return this.#fullest.category
  }

  #crowdedIn(
    region: string | null,
    categories: Iterable<string | null>,
  ): Omit<CrowdedLine<Rate>, 'date'> | undefined {
    const own = region === null ? undefined : this.#regions.get(region)
    for (const category of categories) {
      const ofRegion = own === undefined ? 0 : this.#count(own, category)
      if (ofRegion + this.#count(this.#country, category) <= MAX_RATES_TOGETHER) continue
      const together = [...this.#country.of(category), ...(own?.of(category) ?? [])]
      const rate = together.findLast((one) => this.#added.has(one))
      if (rate !== undefined) return { rate, region, category }
    }
    return undefined
  }

  #count(rates: RegionRates<Rate>, category: string | null): number {
    this.#looks += 1
    return rates.countOf(category)
  }
}

/** The rates of a region, or those of the whole country, that hold on a day: by category and name. */
class RegionRates<Rate extends RateScope> {
  readonly #byCategory = new Map<string | null, Map<string, Rate>>()

  add(rate: Rate): void {
    const ofCategory = this.#byCategory.get(rate.category) ?? new Map<string, Rate>()
    this.#byCategory.set(rate.category, ofCategory.set(rate.name, rate))
  }

  remove({ category, name }: Rate): void {
    const ofCategory = this.#byCategory.get(category)
    ofCategory?.delete(name)
    if (ofCategory?.size === 0) this.#byCategory.delete(category)
  }

  categories(): IteratorObject<string | null> {
    return this.#byCategory.keys()
  }

  /** Those that tax a line of the category. */
  of(category: string | null): Rate[] {
    const general = this.#byCategory.get(null) ?? []
    return [...new Map([...general, ...(this.#byCategory.get(category) ?? [])]).values()]
  }

  countOf(category: string | null): number {
    const general = this.#byCategory.get(null)
    if (category === null) return general?.size ?? 0
    let count = general?.size ?? 0
    for (const name of this.#byCategory.get(category)?.keys() ?? [])
      if (general?.has(name) !== true) count += 1
    return count
  }
}
