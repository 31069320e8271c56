import { setTimeout as sleep } from 'node:timers/promises'
import Type, { type Static } from 'typebox'
import { realClock } from '#kernel/clock'
import type { Currency } from '#kernel/currencies'
import { localDateOf } from '#kernel/time-zone'
import type { Caller } from '#platform/caller'
import { platformErrors } from '#platform/errors'
import {
  DATE_RANGE_QUERY,
  type DateRange,
  daysIn,
  PERIODS,
  readDateRange,
} from '#platform/http/validation/date-range'
import { readCurrency } from '#platform/http/validation/currency'
import { OneOf, strictObject, Text } from '#platform/http/validation/schemas'
import { NOTHING } from '../model/fact.ts'
import { countPlansIfDue } from '../daily/plan-count-job.ts'
import type { ReportsDependencies } from '../dependencies.ts'
import {
  type CountedDay,
  currenciesOf,
  type DayTotals,
  daysOf,
  declinesOf,
  mainCurrencyOf,
} from '../storage/day.repository.ts'
import { findPlanTotals, type PlanTotals, requestPlanTotals } from '../storage/plan-total.repository.ts'

/** The default of reference/reports#days. */
const DEFAULT_DAYS = 30
/** A count reads all plans of the business. */
const MAX_COUNT_MS = 1_000

export const OverviewQuerySchema = strictObject({
  ...DATE_RANGE_QUERY,
  period: Type.Optional(OneOf(PERIODS, { description: 'Instead of `days`, or of `from` and `to`.' })),
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 366,
      description: `Local days up to today, default ${DEFAULT_DAYS}.`,
    }),
  ),
  currency: Type.Optional(Text({ max: 3, description: 'Default: the `main_currency` of the totals.' })),
})
export type OverviewQuery = Static<typeof OverviewQuerySchema>

export interface Overview {
  readonly currency: Currency
  readonly currencies: readonly string[]
  readonly today: DayTotals
  readonly days: readonly CountedDay[]
  readonly declines: Awaited<ReturnType<typeof declinesOf>>
  readonly plans: PlanTotals
}

export async function readOverview(
  deps: ReportsDependencies,
  { businessId }: Caller,
  query: OverviewQuery,
): Promise<Overview> {
  const { db, businesses } = deps
  const profile = await businesses.profile(businessId)
  const chosen = readCurrency(query.currency)
  await countPlans(deps, businessId)
  return db.transact(businessId, async (tx) => {
    const lastDay = localDateOf(tx.now, profile.timeZone)
    const range = rangeOf(query, lastDay)
    const currency = chosen ?? (await mainCurrencyOf(tx, lastDay, profile.currency))
    const [known, declines, currencies, plans] = await Promise.all([
      daysOf(tx, [currency], range),
      declinesOf(tx, currency, range),
      currenciesOf(tx),
      findPlanTotals(tx),
    ])
    const totals = new Map(known.map((day) => [day.day, day]))
    const dates = Array.from({ length: daysIn(range) }, (_, index) =>
      range.from.add({ days: index }).toString(),
    )
    const days = dates.map(
      (day): CountedDay => totals.get(day) ?? { ...NOTHING, currency, day, countedAt: null },
    )
    const [today = { ...NOTHING, currency, day: lastDay.toString() }] = dates.includes(lastDay.toString())
      ? days.filter(({ day }) => day === lastDay.toString())
      : await daysOf(tx, [currency], { from: lastDay, to: lastDay })
    return { currency, currencies, today, days, declines, plans }
  })
}

function rangeOf({ days, ...named }: OverviewQuery, today: Temporal.PlainDate): DateRange {
  const isNamed = named.period !== undefined || named.from !== undefined || named.to !== undefined
  if (!isNamed) return { from: today.subtract({ days: (days ?? DEFAULT_DAYS) - 1 }), to: today }
  if (days === undefined) return readDateRange(named, today)
  const message = 'days excludes period, from and to; send one or the other.'
  throw platformErrors.invalid_date_range({ param: 'days', message })
}

async function countPlans(deps: ReportsDependencies, businessId: string): Promise<void> {
  const now = realClock.now()
  await deps.db.transact(businessId, (tx) => requestPlanTotals(tx, now))
  await Promise.race([countPlansIfDue(deps, businessId, now), sleep(MAX_COUNT_MS, undefined, { ref: false })])
}
