import type { BillingConfig, BillingInterval } from './billing-config.ts'
import { type Instant, isAfter } from './clock.ts'
import { memoize } from './memoize.ts'
import { instantOfLocal, localDateOf, type TimeZone } from './time-zone.ts'

/**
 * The billing dates of one cycle (decisions, section 5). Everything is computed from the first date, so that Jan 31 is
 * followed by Feb 28 and Mar 31, and in constant time, however far away the date is.
 *
 * A schedule is plain values, to be kept with the cycle: `start` as timestamptz, `startDate` as date (a local time that
 * daylight saving skips can put `start` on the next day), `anchorDay` as a small integer, `localTime` with the plan.
 */
export interface Schedule {
  readonly config: BillingConfig
  readonly zone: TimeZone
  /** The plan's local time of day. */
  readonly localTime: Temporal.PlainTime
  /** When the cycle starts. */
  readonly start: Instant
  readonly startDate: Temporal.PlainDate
  /** The day of the month that months and years count from, before it is clamped: 1 to 31. */
  readonly anchorDay: number
}

/** The days that a calendar cycle bills which starts between dates, of the full period they belong to. */
export interface Stub {
  readonly days: number
  readonly periodDays: number
}

/**
 * The schedule of a plan's first cycle.
 * @param localTime when it is not that of `start`: the time that was asked for and that daylight saving skips there
 */
export function firstSchedule(
  config: BillingConfig,
  start: Instant,
  zone: TimeZone,
  localTime: Temporal.PlainTime = start.toZonedDateTimeISO(zone).toPlainTime(),
): Schedule {
  const startDate = localDateOf(start, zone)
  return {
    config,
    zone,
    localTime,
    start,
    startDate,
    anchorDay: config.billing_day_of_month ?? startDate.day,
  }
}

/**
 * The schedule of the cycle that follows `previous` after its `periods` (its billing_count): it starts where that ends,
 * at the plan's local time of day. One of the same unit keeps the anchor, another one anchors at its own start.
 */
export function followingSchedule(previous: Schedule, periods: number, config: BillingConfig): Schedule {
  const startDate = billingLocalDate(previous, periods)
  const sameUnit = config.billing_interval === previous.config.billing_interval
  return {
    config,
    zone: previous.zone,
    localTime: previous.localTime,
    start: billingDate(previous, periods),
    startDate,
    anchorDay: config.billing_day_of_month ?? (sameUnit ? previous.anchorDay : startDate.day),
  }
}

/**
 * When order `index` (0 is the cycle's first) is billed; also when the period of order `index - 1` ends, so that
 * `billingDate(schedule, billing_count)` is the end of the cycle. A calendar cycle that starts between dates has its
 * first order at the start when it is prorated, else on the first date.
 */
export function billingDate(schedule: Schedule, index: number): Instant {
  const date = billingLocalDate(schedule, index)
  // The start itself, not its local time read back: it may be the second of a repeated hour.
  if (index === 0 && date.equals(schedule.startDate)) return schedule.start
  return instantOfLocal(date, schedule.localTime, schedule.zone)
}

/** The local date of order `index`, before daylight saving has its say. */
export function billingLocalDate(schedule: Schedule, index: number): Temporal.PlainDate {
  if (!Number.isInteger(index) || index < 0) throw new RangeError(`order ${index} of a cycle`)
  if (!startsWithStub(schedule)) return scheduledDate(schedule, index)
  return index === 0 ? schedule.startDate : scheduledDate(schedule, index - 1)
}

/** The index of the first order billed strictly after `after`. */
export function billingIndexAfter(schedule: Schedule, after: Instant): number {
  const date = localDateOf(after, schedule.zone)
  // Clamping and daylight saving move a date by less than two periods: the search starts two before and is short.
  let index = Math.max(0, periodsUntil(schedule, date) - 2)
  while (!isAfter(billingDate(schedule, index), after)) index++
  return index
}

/** The first billing date strictly after `after`, on the cycle's original dates. */
export function nextBillingDate(schedule: Schedule, after: Instant): Instant {
  return billingDate(schedule, billingIndexAfter(schedule, after))
}

/** Whether a calendar cycle starts on one of its dates, local dates compared. Of an anniversary it is true. */
export function startsOnBillingDate(schedule: Schedule): boolean {
  return scheduledDate(schedule, 0).equals(schedule.startDate)
}

/** What the first order of a prorated calendar cycle bills; undefined when it bills a full period. */
export function stubOf(schedule: Schedule): Stub | undefined {
  if (!startsWithStub(schedule)) return undefined
  const next = scheduledDate(schedule, 0)
  return {
    days: schedule.startDate.until(next).days,
    periodDays: scheduledDate(schedule, -1).until(next).days,
  }
}

function startsWithStub(schedule: Schedule): boolean {
  return schedule.config.billing_proration_enabled && !startsOnBillingDate(schedule)
}

/** Date `n` of the cycle's grid, 0 being the first on or after the start; -1 is the one before it. */
function scheduledDate(schedule: Schedule, n: number): Temporal.PlainDate {
  const step = stepOf(schedule.config)
  if (step.unit === 'days') return schedule.startDate.add({ days: n * step.length })
  return dateInMonth(firstMonth(schedule) + n * step.length, schedule.anchorDay)
}

const INTERVALS: Readonly<Record<BillingInterval, { unit: 'days' | 'months'; length: number }>> = {
  day: { unit: 'days', length: 1 },
  week: { unit: 'days', length: 7 },
  month: { unit: 'months', length: 1 },
  year: { unit: 'months', length: 12 },
}

/** A period's length in days or in months: all that the arithmetic knows of intervals. */
function stepOf(config: BillingConfig): { unit: 'days' | 'months'; length: number } {
  const { unit, length } = INTERVALS[config.billing_interval]
  return { unit, length: length * config.interval_count }
}

/** The month, counted from year 0, of the first date on or after the start. */
function firstMonth(schedule: Schedule): number {
  const { config, startDate, anchorDay } = schedule
  if (config.billing_type === 'anniversary') return monthNumber(startDate.year, startDate.month)
  const month = monthNumber(startDate.year, config.billing_month ?? startDate.month)
  const passed = Temporal.PlainDate.compare(dateInMonth(month, anchorDay), startDate) < 0
  if (!passed) return month
  return month + (config.billing_interval === 'year' ? 12 : 1)
}

/** How many whole steps fit between the first date and `date`, give or take one. */
function periodsUntil(schedule: Schedule, date: Temporal.PlainDate): number {
  const step = stepOf(schedule.config)
  if (step.unit === 'days') return Math.floor(schedule.startDate.until(date).days / step.length)
  return Math.floor((monthNumber(date.year, date.month) - firstMonth(schedule)) / step.length)
}

function monthNumber(year: number, month: number): number {
  return year * 12 + month - 1
}

/** `day` of a month, or the month's last day where it is shorter. */
function dateInMonth(month: number, day: number): Temporal.PlainDate {
  return dateOfKey(month * 32 + day)
}

/** The key is a month, counted from year 0, and a day in one number. */
const dateOfKey = memoize((key: number): Temporal.PlainDate => {
  const month = Math.floor(key / 32)
  const year = Math.floor(month / 12)
  const date = { year, month: month - year * 12 + 1, day: key % 32 }
  return Temporal.PlainDate.from(date, { overflow: 'constrain' })
})
