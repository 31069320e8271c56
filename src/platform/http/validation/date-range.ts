import Type, { type Static } from 'typebox'
import { platformErrors } from '#platform/errors'
import { DateOnly, OneOf } from '#platform/http/validation/schemas'

export const PERIODS = [
  'today',
  'last_7_days',
  'last_30_days',
  'this_month',
  'last_month',
  'this_year',
  'last_year',
] as const
type Period = (typeof PERIODS)[number]

/** Three years, one of which may be a leap year. */
const MAX_RANGE_DAYS = 3 * 365 + 1
const EARLIEST = '1970-01-01'
const LATEST = '9999-12-29'

export const DATE_RANGE_QUERY = {
  period: Type.Optional(
    OneOf(PERIODS, {
      description:
        'Local days of the business up to today, instead of `from` and `to`. Default `this_month`.',
    }),
  ),
  from: Type.Optional(DateOnly({ description: 'The first local day of the business.' })),
  to: Type.Optional(
    DateOnly({
      description: `The last local day, included; today when omitted. At most ${MAX_RANGE_DAYS} days in all.`,
    }),
  ),
}

export type DateRangeQuery = Static<Type.TObject<typeof DATE_RANGE_QUERY>>

export interface DateRange {
  readonly from: Temporal.PlainDate
  readonly to: Temporal.PlainDate
}

export function readDateRange({ period, from, to }: DateRangeQuery, today: Temporal.PlainDate): DateRange {
  if (from === undefined && to === undefined) return rangeOf(period ?? 'this_month', today)
  if (period !== undefined) throw refused('period', 'must not be sent together with from or to')
  if (from === undefined) {
    throw platformErrors.missing_query_name({
      param: 'from',
      message: 'from is missing; send it together with to.',
    })
  }
  const first = Temporal.PlainDate.from(from)
  const last = to === undefined ? today : Temporal.PlainDate.from(to)
  if (from < EARLIEST) throw refused('from', `must not be before ${EARLIEST}`)
  if (last.toString() > LATEST) throw refused('to', `must not be after ${LATEST}`)
  if (Temporal.PlainDate.compare(first, last) > 0) {
    throw refused('from', `must not be after ${to === undefined ? `today, ${last.toString()}` : 'to'}`)
  }
  const range = { from: first, to: last }
  if (daysIn(range) > MAX_RANGE_DAYS) {
    throw refused('from', `must be at most ${MAX_RANGE_DAYS} days before the end of the range`)
  }
  return range
}

/** @param month YYYY-MM, not after that of today. */
export function readMonth(month: string, today: Temporal.PlainDate): DateRange {
  const from = Temporal.PlainDate.from(`${month}-01`)
  const current = today.with({ day: 1 })
  if (from.toString() < EARLIEST) throw refused('month', `must not be before ${EARLIEST.slice(0, 7)}`)
  if (Temporal.PlainDate.compare(from, current) > 0) {
    throw refused('month', `must not be after the current month, ${current.toPlainYearMonth().toString()}`)
  }
  return { from, to: from.with({ day: from.daysInMonth }) }
}

export function daysIn({ from, to }: DateRange): number {
  return from.until(to, { largestUnit: 'days' }).days + 1
}

/**
 * Returns the range to compare with (reference/reports#ranges). Months, quarters and years are compared with those before them. A
 * part that begins on their first day is compared with the same days before. Any other range is compared with as many days before it.
 */
export function rangeBefore(range: DateRange, period?: Period): DateRange {
  const months = monthsOf(range, period)
  if (months === undefined) {
    return {
      from: range.from.subtract({ days: daysIn(range) }),
      to: range.from.subtract({ days: 1 }),
    }
  }
  const to = range.to.subtract({ months })
  return {
    from: range.from.subtract({ months }),
    to: range.to.day === range.to.daysInMonth ? to.with({ day: to.daysInMonth }) : to,
  }
}

/** By how many months the range to compare with comes earlier; undefined if it is compared by days. */
function monthsOf({ from, to }: DateRange, period: Period | undefined): number | undefined {
  if (period === 'this_year' || period === 'last_year') return 12
  if (
    from.day !== 1 ||
    period === 'today' ||
    (period?.startsWith('last_') === true && period.endsWith('_days'))
  )
    return undefined
  const touched = 12 * (to.year - from.year) + to.month - from.month + 1
  if (touched === 1 || to.day === to.daysInMonth) return touched
  if (touched <= 3 && from.month % 3 === 1) return 3
  return touched <= 12 && from.month === 1 ? 12 : undefined
}

export function rangeText({ from, to }: DateRange): string {
  return `${from.toString()}-to-${to.toString()}`
}

function rangeOf(period: Period, today: Temporal.PlainDate): DateRange {
  switch (period) {
    case 'today':
      return { from: today, to: today }
    case 'last_7_days':
      return { from: today.subtract({ days: 6 }), to: today }
    case 'last_30_days':
      return { from: today.subtract({ days: 29 }), to: today }
    case 'this_month':
      return { from: today.with({ day: 1 }), to: today }
    case 'last_month': {
      const from = today.with({ day: 1 }).subtract({ months: 1 })
      return { from, to: from.with({ day: from.daysInMonth }) }
    }
    case 'this_year':
      return { from: today.with({ month: 1, day: 1 }), to: today }
    case 'last_year': {
      const from = today.with({ month: 1, day: 1 }).subtract({ years: 1 })
      return { from, to: from.with({ month: 12, day: 31 }) }
    }
  }
}

function refused(param: string, what: string) {
  return platformErrors.invalid_date_range({ param, message: `${param} ${what}.` })
}
