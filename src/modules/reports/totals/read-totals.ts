import Type, { type Static } from 'typebox'
import { type Instant, isAfter } from '#kernel/clock'
import type { Currency } from '#kernel/currencies'
import { localDateOf, type TimeZone } from '#kernel/time-zone'
import type { Caller } from '#platform/caller'
import {
  DATE_RANGE_QUERY,
  type DateRange,
  rangeBefore,
  readDateRange,
} from '#platform/http/validation/date-range'
import { readCurrency } from '#platform/http/validation/currency'
import { Text } from '#platform/http/validation/schemas'
import type { Tx } from '#platform/postgres/database'
import { type Measures, NOTHING } from '../model/fact.ts'
import type { ReportsDependencies } from '../dependencies.ts'
import { currenciesOf, daysOf, mainCurrencyOf, sumsOf } from '../storage/day.repository.ts'

export const TOTALS_QUERY = {
  ...DATE_RANGE_QUERY,
  currency: Type.Optional(Text({ max: 3, description: 'Default: all in which money moved.' })),
}
export type TotalsQuery = Static<Type.TObject<typeof TOTALS_QUERY>>

/** Minor units. `settledPaid` is the part of `paid` whose fees are part of `fee`. */
export interface Totals extends Measures {
  readonly fee: bigint
  readonly settledPaid: bigint
}

export function netOf({ paid, refunded }: Pick<Totals, 'paid' | 'refunded'>): bigint {
  return paid - refunded
}

export interface ComparedTotals {
  readonly currency: Currency
  readonly now: Totals
  readonly before: Totals
}

/** - `countedAt`: When a day of the range last changed, on the real clock; null if nothing counts in it. */
export interface RangeTotals {
  readonly timeZone: TimeZone
  readonly range: DateRange
  readonly before: DateRange
  readonly mainCurrency: Currency
  readonly currencies: readonly ComparedTotals[]
  readonly countedAt: Instant | null
}

type Context = Pick<ReportsDependencies, 'db' | 'businesses' | 'reconciliations'>

export async function readTotals(
  { db, businesses, reconciliations }: Context,
  { businessId }: Caller,
  query: TotalsQuery,
): Promise<RangeTotals> {
  const profile = await businesses.profile(businessId)
  const only = readCurrency(query.currency)
  const read = async (tx: Tx): Promise<RangeTotals> => {
    const today = localDateOf(tx.now, profile.timeZone)
    const range = readDateRange(query, today)
    const before = rangeBefore(range, query.period ?? (query.from === undefined ? 'this_month' : undefined))
    const isIn = ({ from, to }: DateRange, day: string) => from.toString() <= day && day <= to.toString()
    const known = only === undefined ? await currenciesOf(tx) : [only]
    const [sums, settledDays, mainCurrency] = await Promise.all([
      sumsOf(tx, known, range, before),
      reconciliations.settledDays(tx, { from: before.from.toString(), to: range.to.toString() }),
      mainCurrencyOf(tx, today, profile.currency),
    ])
    const settled = settledDays.filter(({ day }) => isIn(range, day) || isIn(before, day))
    const totalsOf = (currency: Currency, isBefore: boolean): Totals => {
      const sum = sums.find((one) => one.currency === currency && one.isBefore === isBefore)
      const days = settled.filter(
        (one) => one.currency === currency && isIn(isBefore ? before : range, one.day),
      )
      return {
        ...(sum ?? NOTHING),
        fee: days.reduce((total, { fee }) => total + fee, 0n),
        settledPaid: days.reduce((total, { paid }) => total + paid, 0n),
      }
    }
    const moved = new Set([...sums, ...settled].map(({ currency }) => currency).toSorted())
    const currencies = only === undefined ? new Set([profile.currency]).union(moved) : new Set([only])
    return {
      timeZone: profile.timeZone,
      range,
      before,
      mainCurrency,
      countedAt: latestOf(sums.filter(({ isBefore }) => !isBefore)),
      currencies: [...currencies].map((currency) => ({
        currency,
        now: totalsOf(currency, false),
        before: totalsOf(currency, true),
      })),
    }
  }
  return db.transact(businessId, read, { isSnapshot: true })
}

/** When one of these last changed. */
export function latestOf(counted: readonly { readonly countedAt: Instant | null }[]): Instant | null {
  const times = counted.flatMap(({ countedAt }) => countedAt ?? [])
  return times.reduce<Instant | null>((last, at) => (last === null || isAfter(at, last) ? at : last), null)
}

export interface DayOfTotals extends Totals {
  readonly day: string
  readonly currency: Currency
}

export interface DaysOfTotals {
  readonly range: DateRange
  readonly pages: AsyncGenerator<readonly DayOfTotals[]>
}

/** One transaction reads a month, and not three years. */
const PAGE_DAYS = 31

export async function readDaysOfTotals(
  { db, businesses, reconciliations }: Context,
  { businessId }: Caller,
  query: TotalsQuery,
): Promise<DaysOfTotals> {
  const { timeZone } = await businesses.profile(businessId)
  const only = readCurrency(query.currency)
  const range = await db.transact(businessId, async ({ now }) =>
    readDateRange(query, localDateOf(now, timeZone)),
  )
  const readDays = async (tx: Tx, page: DateRange): Promise<DayOfTotals[]> => {
    const known = only === undefined ? await currenciesOf(tx) : [only]
    const [days, settled] = await Promise.all([
      daysOf(tx, known, page),
      reconciliations.settledDays(tx, { from: page.from.toString(), to: page.to.toString() }),
    ])
    const rows = new Map<string, DayOfTotals>()
    for (const one of days) rows.set(`${one.day} ${one.currency}`, { ...one, fee: 0n, settledPaid: 0n })
    for (const { day, currency, fee, paid: settledPaid } of settled) {
      if (only !== undefined && currency !== only) continue
      const key = `${day} ${currency}`
      rows.set(key, { ...NOTHING, ...rows.get(key), day, currency, fee, settledPaid })
    }
    return [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
  }
  async function* pages(): AsyncGenerator<DayOfTotals[]> {
    for (let { from } = range; Temporal.PlainDate.compare(from, range.to) <= 0;) {
      const end = from.add({ days: PAGE_DAYS - 1 })
      const to = Temporal.PlainDate.compare(end, range.to) < 0 ? end : range.to
      const page = { from, to }
      yield await db.transact(businessId, (tx) => readDays(tx, page), { isSnapshot: true })
      from = to.add({ days: 1 })
    }
  }
  return { range, pages: pages() }
}
