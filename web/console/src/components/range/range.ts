export const PERIODS = [
  'today',
  'last_7_days',
  'last_30_days',
  'this_month',
  'last_month',
  'this_year',
  'last_year',
] as const
export type Period = (typeof PERIODS)[number]

/** Days as the API takes them: a period, or the first and the last day. */
export type Range =
  | { readonly period: Period; readonly from?: never; readonly to?: never }
  | { readonly from: string; readonly to: string; readonly period?: never }

export interface RangeSearch {
  readonly period?: Period | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly currency?: string | undefined
}

const DATE = /^\d{4}-\d{2}-\d{2}$/

/** What is not known is undefined, because the router keeps what a reader leaves out of an address. */
export function readRangeSearch({ period, from, to, currency }: Record<string, unknown>): RangeSearch {
  const known = PERIODS.find((one) => one === period)
  const own = known === undefined && isDate(from) && isDate(to) && from <= to ? { from, to } : undefined
  return {
    period: known,
    from: own?.from,
    to: own?.to,
    currency: typeof currency === 'string' ? currency : undefined,
  }
}

export function rangeOf({ period, from, to }: RangeSearch, otherwise: Period): Range {
  if (from !== undefined && to !== undefined) return { from, to }
  return { period: period ?? otherwise }
}

export function isDate(value: unknown): value is string {
  return typeof value === 'string' && DATE.test(value) && !Number.isNaN(Date.parse(value))
}

interface Dates {
  readonly from: string
  readonly to: string
}

export function datesOf(period: Period, today: string): Dates {
  const [year = 0, month = 1, day = 1] = today.split('-').map(Number)
  const date = (y: number, m: number, d: number) => new Date(Date.UTC(y, m - 1, d)).toISOString().slice(0, 10)
  switch (period) {
    case 'today':
      return { from: today, to: today }
    case 'last_7_days':
      return { from: date(year, month, day - 6), to: today }
    case 'last_30_days':
      return { from: date(year, month, day - 29), to: today }
    case 'this_month':
      return { from: date(year, month, 1), to: today }
    case 'last_month':
      return { from: date(year, month - 1, 1), to: date(year, month, 0) }
    case 'this_year':
      return { from: date(year, 1, 1), to: today }
    case 'last_year':
      return { from: date(year - 1, 1, 1), to: date(year - 1, 12, 31) }
  }
}

/** "1 – 30 Nov 2026" by the rules of the language. */
export function rangeText({ from, to }: Dates, language: string): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
  return format.formatRange(new Date(from), new Date(to))
}
