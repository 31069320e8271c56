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

/**
 * Minor units.
 * - `settledPaid`: The part of `paid` whose fees are part of `fee`.
 * - `disputed`: What disputes took, less what they gave back.
 */
export interface Totals extends Measures {
  readonly disputed: bigint
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

type Context = Pick<ReportsDependencies, 'db' | 'businesses' | 'payments' | 'reconciliations'>

export async function readTotals(
  { db, businesses, payments, reconciliations }: Context,
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
    const days = { from: before.from.toString(), to: range.to.toString() }
    const [sums, settledDays, disputedDays, mainCurrency] = await Promise.all([
      sumsOf(tx, known, range, before),
      reconciliations.settledDays(tx, days),
      payments.disputedDays(tx, days),
      mainCurrencyOf(tx, today, profile.currency),
    ])
    const isShown = ({ day }: { readonly day: string }) => isIn(range, day) || isIn(before, day)
    const [settled, disputed] = [settledDays.filter(isShown), disputedDays.filter(isShown)]
    const totalsOf = (currency: Currency, isBefore: boolean): Totals => {
      const sum = sums.find((one) => one.currency === currency && one.isBefore === isBefore)
      const isMeant = (one: { readonly currency: Currency; readonly day: string }) =>
        one.currency === currency && isIn(isBefore ? before : range, one.day)
      const settledHere = settled.filter(isMeant)
      return {
        ...(sum ?? NOTHING),
        disputed: disputed.filter(isMeant).reduce((total, { taken }) => total + taken, 0n),
        fee: settledHere.reduce((total, { fee }) => total + fee, 0n),
        settledPaid: settledHere.reduce((total, { paid }) => total + paid, 0n),
      }
    }
    const moved = new Set([...sums, ...settled, ...disputed].map(({ currency }) => currency).toSorted())
    const currencies = only === undefined ? new Set([profile.currency]).union(moved) : new Set([only])
    return {
      timeZone: profile.timeZone,
      range,
      before,
      mainCurrency,
      countedAt: latestOf([
        ...sums.filter(({ isBefore }) => !isBefore),
        ...disputed.filter(({ day, currency }) => isIn(range, day) && (only ?? currency) === currency),
      ]),
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
/** What other modules know of a day. */
const NOT_IN_DAYS = { disputed: 0n, fee: 0n, settledPaid: 0n }

export async function readDaysOfTotals(
  { db, businesses, payments, reconciliations }: Context,
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
    const dates = { from: page.from.toString(), to: page.to.toString() }
    const [days, settled, disputed] = await Promise.all([
      daysOf(tx, known, page),
      reconciliations.settledDays(tx, dates),
      payments.disputedDays(tx, dates),
    ])
    const rows = new Map<string, DayOfTotals>()
    for (const one of days) rows.set(`${one.day} ${one.currency}`, { ...NOT_IN_DAYS, ...one })
    for (const { day, currency, taken } of disputed) {
      if (only !== undefined && currency !== only) continue
      const key = `${day} ${currency}`
      rows.set(key, { ...NOT_IN_DAYS, ...NOTHING, ...rows.get(key), day, currency, disputed: taken })
    }
    for (const { day, currency, fee, paid: settledPaid } of settled) {
      if (only !== undefined && currency !== only) continue
      const key = `${day} ${currency}`
      rows.set(key, { ...NOT_IN_DAYS, ...NOTHING, ...rows.get(key), day, currency, fee, settledPaid })
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
