import { type Instant, isAfter } from './clock.ts'
import { memoize } from './memoize.ts'

export type TimeZone = string

const NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+){0,3}$/

/**
 * Returns the zone's canonical spelling (`Asia/Hong_Kong` for `asia/hong_kong`). Offsets such as `+08:00` are
 * refused, because they have no daylight saving.
 */
export function parseTimeZone(name: string): TimeZone | undefined {
  if (name.length > 64 || !NAME.test(name)) return undefined
  try {
    return new Temporal.ZonedDateTime(0n, name).timeZoneId
  } catch {
    return undefined
  }
}

export function localDateOf(instant: Instant, zone: TimeZone): Temporal.PlainDate {
  return instant.toZonedDateTimeISO(zone).toPlainDate()
}

/** 00:00, or the end of the gap where daylight saving skips midnight. */
export function startOfLocalDay(date: Temporal.PlainDate, zone: TimeZone): Instant {
  return date.toZonedDateTime(zone).toInstant()
}

const dayIntervals = new Map<
  TimeZone,
  { readonly from: number; readonly until: number; readonly end: Instant }
>()

export function nextLocalMidnight(instant: Instant, zone: TimeZone): Instant {
  const from = instant.epochMilliseconds
  const cached = dayIntervals.get(zone)
  if (cached !== undefined && cached.from <= from && from < cached.until) return cached.end
  const end = findNextLocalMidnight(instant, zone)
  dayIntervals.set(zone, { from, until: end.epochMilliseconds, end })
  return end
}

function findNextLocalMidnight(instant: Instant, zone: TimeZone): Instant {
  let date = localDateOf(instant, zone).add({ days: 1 })
  // In St. John's, clocks once went from 00:01 back to 23:01, so that a day started twice.
  while (!isAfter(startOfLocalDay(date, zone), instant)) date = date.add({ days: 1 })
  return startOfLocalDay(date, zone)
}

/**
 * A local time that daylight saving skips takes the offset before the gap (02:30 becomes 03:30), and of a
 * repeated one the first counts, as RFC 5545 requires.
 */
export function instantOfLocal(date: Temporal.PlainDate, time: Temporal.PlainTime, zone: TimeZone): Instant {
  return localInstant(`${date.toString()}T${time.toString()}[${zone}]`)
}

const localInstant = memoize((text: string): Instant =>
  Temporal.ZonedDateTime.from(text, { disambiguation: 'compatible' }).toInstant(),
)
