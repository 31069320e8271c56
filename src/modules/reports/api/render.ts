import type { Static } from 'typebox'
import { rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { Attention } from '../attention/read-attention.ts'
import type { Overview } from '../overview/read-overview.ts'
import { latestOf } from '../totals/read-totals.ts'
import type { CountedDay } from '../storage/day.repository.ts'
import type { AttentionData, OverviewData } from './schemas.ts'

export function renderOverview(overview: Overview): Static<typeof OverviewData> {
  const { currency, today, plans } = overview
  const amount = (minor: bigint) => Money.ofMinor(currency, minor)
  const ofPlans = plans.totals?.find((one) => one.currency === currency)
  return {
    overview: {
      currency,
      currencies: [...overview.currencies],
      today: {
        date: today.day,
        paid_total: amount(today.paid),
        refunded_total: amount(today.refunded),
        orders_paid: today.ordersPaid,
        payments_failed: today.declined,
      },
      days: overview.days.map(renderDay),
      counted_at: rfc3339OrNull(latestOf(overview.days)),
      declines: overview.declines.map((one) => ({
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
}

function renderDay(day: CountedDay) {
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
    counted_at: rfc3339OrNull(day.countedAt),
  }
}

export function renderAttention(found: readonly Attention[]): Static<typeof AttentionData> {
  return {
    attention: found.map(({ kind, count, oldest }) => ({
      kind,
      count,
      oldest_at: rfc3339OrNull(oldest[0]?.at),
      items: oldest.map((item) => ({ ...item, at: toRfc3339(item.at) })),
    })),
  }
}
