import { type Instant, isAfter } from '#kernel/clock'
import { localDateOf, startOfLocalDay, type TimeZone } from '#kernel/time-zone'

/** From `start`, inclusive, to `end`, exclusive (reference/cards#limit-windows). */
export interface Window {
  readonly start: Instant
  readonly end: Instant
}

export function dailyWindow(at: Instant, zone: TimeZone): Window {
  return windowOf(at, localDateOf(at, zone), { days: 1 }, zone)
}

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
  // Where clocks go back over midnight (St. John's), the local date returns to yesterday after the new day began. A window
  // that has ended does not come back.
  while (!isAfter(end, at)) {
    date = date.add(step)
    end = startOfLocalDay(date.add(step), zone)
  }
  return { start: startOfLocalDay(date, zone), end }
}
