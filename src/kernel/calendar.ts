import type { BillingConfig, BillingInterval } from './billing-config.ts'
import { type Instant, isAfter } from './clock.ts'
import { memoize } from './memoize.ts'
import { instantOfLocal, localDateOf, type TimeZone } from './time-zone.ts'

/**
 * The billing dates of one cycle (reference/recurring#billing-dates). Every date is computed from the first
 * one, so that 31 January is followed by 28 February and 31 March, and any date costs the same.
 * A schedule is stored with its cycle. `startDate` is stored beside `start`, because daylight saving can move
 * `start` to the next day.
 */
export interface Schedule {
  readonly config: BillingConfig
  readonly zone: TimeZone
  readonly localTime: Temporal.PlainTime
  readonly start: Instant
  readonly startDate: Temporal.PlainDate
  /** The day of the month before it is clamped to the month's length: 1 to 31. */
  readonly anchorDay: number
}

export interface Stub {
  readonly days: number
  readonly periodDays: number
}

/**
 * Makes the schedule of a plan's first cycle.
 * @param localTime the requested local time, where daylight saving skips that time on the first day
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
 * When order `index` is billed, counted from 0. This is also the end of the period of order `index - 1`, so
 * `billingDate(schedule, billing_count)` ends the cycle.
 * A calendar cycle that starts between two billing dates has its first order at the start if it is prorated,
 * else on the first billing date.
 */
export function billingDate(schedule: Schedule, index: number): Instant {
  const date = billingLocalDate(schedule, index)
  // Where an hour repeats, the local time alone means the first one, but the start may lie in the second.
  if (index === 0 && date.equals(schedule.startDate)) return schedule.start
  return instantOfLocal(date, schedule.localTime, schedule.zone)
}

export function billingLocalDate(schedule: Schedule, index: number): Temporal.PlainDate {
  if (!Number.isInteger(index) || index < 0) throw new RangeError(`a cycle has no order ${index}`)
  if (!startsWithStub(schedule)) return scheduledDate(schedule, index)
  return index === 0 ? schedule.startDate : scheduledDate(schedule, index - 1)
}

export function billingIndexAfter(schedule: Schedule, after: Instant): number {
  const date = localDateOf(after, schedule.zone)
  // Clamping and daylight saving move a date by less than two periods, so the search is short.
  let index = Math.max(0, periodsUntil(schedule, date) - 2)
  while (!isAfter(billingDate(schedule, index), after)) index++
  return index
}

export function nextBillingDate(schedule: Schedule, after: Instant): Instant {
  return billingDate(schedule, billingIndexAfter(schedule, after))
}

export function startsOnBillingDate(schedule: Schedule): boolean {
  return scheduledDate(schedule, 0).equals(schedule.startDate)
}

export function stubOf(schedule: Schedule): Stub | undefined {
  if (!startsWithStub(schedule)) return undefined
  const next = scheduledDate(schedule, 0)
  return {
    days: schedule.startDate.until(next).days,
    periodDays: scheduledDate(schedule, -1).until(next).days,
  }
}

export function wholePeriodStart(schedule: Schedule, index: number): Instant {
  if (index > 0 || !startsWithStub(schedule)) return billingDate(schedule, index)
  return instantOfLocal(scheduledDate(schedule, -1), schedule.localTime, schedule.zone)
}

function startsWithStub(schedule: Schedule): boolean {
  return schedule.config.billing_proration_enabled && !startsOnBillingDate(schedule)
}

/** Date `n` of the cycle, where 0 is the first on or after the start and -1 the one before that. */
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

function stepOf(config: BillingConfig): { unit: 'days' | 'months'; length: number } {
  const { unit, length } = INTERVALS[config.billing_interval]
  return { unit, length: length * config.interval_count }
}

function firstMonth(schedule: Schedule): number {
  const { config, startDate, anchorDay } = schedule
  if (config.billing_type === 'anniversary') return monthNumber(startDate.year, startDate.month)
  const month = monthNumber(startDate.year, config.billing_month ?? startDate.month)
  const passed = Temporal.PlainDate.compare(dateInMonth(month, anchorDay), startDate) < 0
  if (!passed) return month
  return month + (config.billing_interval === 'year' ? 12 : 1)
}

function periodsUntil(schedule: Schedule, date: Temporal.PlainDate): number {
  const step = stepOf(schedule.config)
  if (step.unit === 'days') return Math.floor(schedule.startDate.until(date).days / step.length)
  return Math.floor((monthNumber(date.year, date.month) - firstMonth(schedule)) / step.length)
}

function monthNumber(year: number, month: number): number {
  return year * 12 + month - 1
}

function dateInMonth(month: number, day: number): Temporal.PlainDate {
  return dateOfMonthAndDay(month * 32 + day)
}

const dateOfMonthAndDay = memoize((key: number): Temporal.PlainDate => {
  const month = Math.floor(key / 32)
  const year = Math.floor(month / 12)
  const date = { year, month: month - year * 12 + 1, day: key % 32 }
  return Temporal.PlainDate.from(date, { overflow: 'constrain' })
})
