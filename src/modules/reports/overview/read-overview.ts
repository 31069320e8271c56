import { setTimeout as sleep } from 'node:timers/promises'
import { realClock } from '#kernel/clock'
import { type Currency, isCurrency } from '#kernel/currencies'
import { localDateOf } from '#kernel/time-zone'
import type { Caller } from '#platform/caller'
import { platformErrors } from '#platform/errors'
import { NOTHING } from '../daily/fact.ts'
import { countPlansIfDue } from '../daily/plan-count-job.ts'
import type { ReportsDependencies } from '../dependencies.ts'
import { currenciesOf, type DayTotals, daysSince, declinesSince } from '../storage/day.repository.ts'
import { findPlanTotals, type PlanTotals, requestPlanTotals } from '../storage/plan-total.repository.ts'

const DEFAULT_DAYS = 30
/** A count reads all plans of the business. */
const MAX_COUNT_MS = 1_000

export interface OverviewQuery {
  readonly days?: number | undefined
  readonly currency?: string | undefined
}

export interface Overview {
  readonly currency: Currency
  readonly currencies: readonly string[]
  readonly today: DayTotals
  readonly days: readonly DayTotals[]
  readonly declines: Awaited<ReturnType<typeof declinesSince>>
  readonly plans: PlanTotals
}

export async function readOverview(
  deps: ReportsDependencies,
  { businessId }: Caller,
  query: OverviewQuery,
): Promise<Overview> {
  const { db, businesses } = deps
  const profile = await businesses.profile(businessId)
  const { days: count = DEFAULT_DAYS, currency = profile.currency } = query
  if (!isCurrency(currency)) {
    throw platformErrors.invalid_query_value({
      param: 'currency',
      message: 'currency must be an ISO 4217 code, such as HKD.',
    })
  }
  await countPlans(deps, businessId)
  return db.transact(businessId, async (tx) => {
    const lastDay = localDateOf(tx.now, profile.timeZone)
    const first = lastDay.subtract({ days: count - 1 })
    const since = first.toString()
    const [known, declines, currencies, plans] = await Promise.all([
      daysSince(tx, currency, since),
      declinesSince(tx, currency, since),
      currenciesOf(tx),
      findPlanTotals(tx),
    ])
    const totals = new Map(known.map((day) => [day.day, day]))
    const dates = Array.from({ length: count }, (_, index) => first.add({ days: index }).toString())
    const days = dates.map((day): DayTotals => totals.get(day) ?? { ...NOTHING, currency, day })
    const today = days.at(-1) ?? { ...NOTHING, currency, day: lastDay.toString() }
    return { currency, currencies, today, days, declines, plans }
  })
}

async function countPlans(deps: ReportsDependencies, businessId: string): Promise<void> {
  const now = realClock.now()
  await deps.db.transact(businessId, (tx) => requestPlanTotals(tx, now))
  await Promise.race([countPlansIfDue(deps, businessId, now), sleep(MAX_COUNT_MS, undefined, { ref: false })])
}
