import { type Instant, isAfter } from '#kernel/clock'
import { localDateOf, startOfLocalDay, type TimeZone } from '#kernel/time-zone'

/** A stretch of time in which a limit counts: `start` belongs to it, `end` to the next. */
export interface Window {
  readonly start: Instant
  readonly end: Instant
}

/** The calendar day in `zone` that `at` lies in: 23, 24 or 25 hours. */
export function dailyWindow(at: Instant, zone: TimeZone): Window {
  return windowOf(at, localDateOf(at, zone), { days: 1 }, zone)
}

/** The calendar month in `zone` that `at` lies in. */
export function monthlyWindow(at: Instant, zone: TimeZone): Window {
  return windowOf(at, localDateOf(at, zone).with({ day: 1 }), { months: 1 }, zone)
}

function windowOf(
  at: Instant,
  first: Temporal.PlainDate,
  step: { days: number } | { months: number },
  zone: TimeZone,
): Window {
  let date = first
  let end = startOfLocalDay(date.add(step), zone)
  // Where clocks went back over midnight (St. John's) the local date is yesterday's once more after the new day began:
  // a window that has ended does not come back.
  while (!isAfter(end, at)) {
    date = date.add(step)
    end = startOfLocalDay(date.add(step), zone)
  }
  return { start: startOfLocalDay(date, zone), end }
}
