import { type Instant, isAfter } from './clock.ts'
import { memoize } from './memoize.ts'

/** An IANA time zone name, such as `Asia/Hong_Kong`. */
export type TimeZone = string

const NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+){0,3}$/

/**
 * The zone's name in its usual letters (`asia/hong_kong` is `Asia/Hong_Kong`), or undefined when there is no such
 * zone. Plain offsets such as `+08:00` are refused: they know no daylight saving.
 */
export function parseTimeZone(name: string): TimeZone | undefined {
  if (name.length > 64 || !NAME.test(name)) return undefined
  try {
    return new Temporal.ZonedDateTime(0n, name).timeZoneId
  } catch {
    return undefined
  }
}

/** The date that a calendar on the wall in `zone` shows at `instant`. */
export function localDateOf(instant: Instant, zone: TimeZone): Temporal.PlainDate {
  return instant.toZonedDateTimeISO(zone).toPlainDate()
}

/** The first instant of a local day: 00:00, or what follows the gap where daylight saving skips midnight. */
export function startOfLocalDay(date: Temporal.PlainDate, zone: TimeZone): Instant {
  return date.toZonedDateTime(zone).toInstant()
}

/** For each zone, the newest stretch of time in which no local day starts, and what ends it. In milliseconds. */
const daysOfZones = new Map<
  TimeZone,
  { readonly from: number; readonly until: number; readonly end: Instant }
>()

/** The first start of a local day strictly after `instant`: the default settlement cut-off (decisions, section 3). */
export function nextLocalMidnight(instant: Instant, zone: TimeZone): Instant {
  const from = instant.epochMilliseconds
  const known = daysOfZones.get(zone)
  if (known !== undefined && known.from <= from && from < known.until) return known.end
  const end = findNextLocalMidnight(instant, zone)
  daysOfZones.set(zone, { from, until: end.epochMilliseconds, end })
  return end
}

function findNextLocalMidnight(instant: Instant, zone: TimeZone): Instant {
  let date = localDateOf(instant, zone).add({ days: 1 })
  // Clocks once went from 00:01 back to 23:01 (St. John's): then tomorrow has already begun once.
  while (!isAfter(startOfLocalDay(date, zone), instant)) date = date.add({ days: 1 })
  return startOfLocalDay(date, zone)
}

/**
 * The instant of a local date and time. A local time that daylight saving skips is read with the offset before the
 * gap (02:30 becomes 03:30), of a repeated one the first counts: what Temporal calls `compatible`, and RFC 5545 asks for.
 */
export function instantOfLocal(date: Temporal.PlainDate, time: Temporal.PlainTime, zone: TimeZone): Instant {
  return localInstant(`${date.toString()}T${time.toString()}[${zone}]`)
}

const localInstant = memoize((text: string): Instant =>
  Temporal.ZonedDateTime.from(text, { disambiguation: 'compatible' }).toInstant(),
)
