import { fromMinorUnits, type Schemas, toMinorUnits } from 'quittance'

export type Day = Schemas['Overview']['days'][number]

/** More bars than this are thinner than a line. */
const MAX_DAYS = 92

export interface GroupedDays {
  readonly unit: 'day' | 'month'
  readonly days: readonly Day[]
}

/** The days, or their months where there are too many to be drawn. A month has the date of its first day. */
export function groupDays(days: readonly Day[], currency: string): GroupedDays {
  if (days.length <= MAX_DAYS) return { unit: 'day', days }
  const months = Map.groupBy(days, ({ date }) => date.slice(0, 'YYYY-MM'.length))
  return { unit: 'month', days: [...months.values()].map((each) => sumOf(each, currency)) }
}

function sumOf(days: readonly Day[], currency: string): Day {
  const amount = (of: (day: Day) => string) =>
    fromMinorUnits(
      days.reduce((sum, day) => sum + toMinorUnits(of(day), currency), 0n),
      currency,
    )
  const count = (of: (day: Day) => number) => days.reduce((sum, day) => sum + of(day), 0)
  const approved = count((day) => day.payments_approved)
  const attempts = approved + count((day) => day.payments_declined)
  return {
    date: days[0]?.date ?? '',
    paid_total: amount((day) => day.paid_total),
    refunded_total: amount((day) => day.refunded_total),
    orders_paid: count((day) => day.orders_paid),
    payments_approved: approved,
    payments_declined: attempts - approved,
    success_rate: attempts === 0 ? null : approved / attempts,
    recurring_paid_total: amount((day) => day.recurring_paid_total),
    dunning_recovered_total: amount((day) => day.dunning_recovered_total),
    dunning_attempted_total: amount((day) => day.dunning_attempted_total),
    counted_at:
      days
        .flatMap((day) => day.counted_at ?? [])
        .toSorted()
        .at(-1) ?? null,
  }
}

export function dayNames({ unit, days }: GroupedDays, language: string): readonly string[] {
  const format = new Intl.DateTimeFormat(language, {
    month: 'short',
    ...(unit === 'day' ? { day: 'numeric' } : { year: 'numeric' }),
    timeZone: 'UTC',
  })
  return days.map(({ date }) => format.format(new Date(date)))
}
