import { setTimeout as sleep } from 'node:timers/promises'
import { realClock, rfc3339OrNull } from '#kernel/clock'
import { isCurrency } from '#kernel/currencies'
import { Money } from '#kernel/money'
import { localDateOf } from '#kernel/time-zone'
import type { Caller } from '#platform/caller'
import { platformErrors } from '#platform/errors'
import { NOTHING } from '../daily/fact.ts'
import { countPlansIfDue } from '../daily/plan-count-job.ts'
import type { ReportsDependencies } from '../dependencies.ts'
import { currenciesOf, type DayTotals, daysSince, declinesSince } from '../storage/day.repository.ts'
import { findPlanTotals, requestPlanTotals } from '../storage/plan-total.repository.ts'

const DEFAULT_DAYS = 30
/** A count reads all plans of the business. */
const MAX_COUNT_MS = 1_000

export interface OverviewQuery {
  readonly days?: number | undefined
  readonly currency?: string | undefined
}

export async function readOverview(
  deps: ReportsDependencies,
  { businessId }: Caller,
  query: OverviewQuery,
): Promise<object> {
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
    const today = localDateOf(tx.now, profile.timeZone)
    const first = today.subtract({ days: count - 1 })
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
    const amount = (minor: bigint) => Money.ofMinor(currency, minor)
    const last = days.at(-1) ?? { ...NOTHING, currency, day: today.toString() }
    const ofPlans = plans.totals?.find((one) => one.currency === currency)
    return {
      overview: {
        currency,
        currencies,
        today: {
          date: today.toString(),
          paid_total: amount(last.paid),
          refunded_total: amount(last.refunded),
          orders_paid: last.ordersPaid,
          payments_failed: last.declined,
        },
        days: days.map((day) => renderDay(day)),
        declines: declines.map((one) => ({
          decline_code: one.decline_code,
          count: Number(one.count),
          total: amount(one.declined_minor),
        })),
        recurring: {
          active_plans: plans.totals === null ? null : (ofPlans?.plans ?? 0),
          monthly_total: plans.totals === null ? null : amount(ofPlans?.monthly ?? 0n),
          counted_at: rfc3339OrNull(plans.countedAt),
        },
      },
    }
  })
}

/** Counts again unless that was done a moment ago. A count that takes longer goes on, and the answer has the last one. */
async function countPlans(deps: ReportsDependencies, businessId: string): Promise<void> {
  const now = realClock.now()
  await deps.db.transact(businessId, (tx) => requestPlanTotals(tx, now))
  await Promise.race([countPlansIfDue(deps, businessId, now), sleep(MAX_COUNT_MS, undefined, { ref: false })])
}

function renderDay(day: DayTotals): object {
  const amount = (minor: bigint) => Money.ofMinor(day.currency, minor)
  const attempts = day.approved + day.declined
  return {
    date: day.day,
    paid_total: amount(day.paid),
    refunded_total: amount(day.refunded),
    orders_paid: day.ordersPaid,
    payments_approved: day.approved,
    payments_declined: day.declined,
    success_rate: attempts === 0 ? null : Math.round((day.approved / attempts) * 10_000) / 10_000,
    recurring_paid_total: amount(day.recurringPaid),
    dunning_recovered_total: amount(day.dunningRecovered),
    dunning_attempted_total: amount(day.dunningAttempted),
  }
}
