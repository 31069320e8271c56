import type { Instant } from './clock.ts'
import { startOfLocalDay, type TimeZone } from './time-zone.ts'

const RFC3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/
// PostgreSQL's calendar has no year 0.
const DATE = /^(?!0000)\d{4}-\d{2}-\d{2}$/

/** Years that both RFC 3339 and PostgreSQL can write, with a margin for arithmetic of a day. */
const EARLIEST = Temporal.PlainDate.from('0001-01-03')
const LATEST = Temporal.PlainDate.from('9999-12-29')

export function parseAnyInstant(text: string): Instant | undefined {
  return RFC3339.test(text) ? attempt(() => Temporal.Instant.from(text)) : undefined
}

export function parseAnyDate(text: string): Temporal.PlainDate | undefined {
  return DATE.test(text) ? attempt(() => Temporal.PlainDate.from(text, { overflow: 'reject' })) : undefined
}

export function parseInstant(text: string): Instant | undefined {
  return parseDate(text.slice(0, 10)) === undefined ? undefined : parseAnyInstant(text)
}

export function parseDate(text: string): Temporal.PlainDate | undefined {
  const date = parseAnyDate(text)
  if (date === undefined) return undefined
  const isInRange =
    Temporal.PlainDate.compare(date, EARLIEST) >= 0 && Temporal.PlainDate.compare(date, LATEST) <= 0
  return isInRange ? date : undefined
}

/** A date means its first moment in the zone. Rounded down to milliseconds, as times are stored and shown. */
export function parseTimeOrDate(text: string, zone: TimeZone): Instant | undefined {
  const date = parseDate(text)
  const time = date === undefined ? parseInstant(text) : startOfLocalDay(date, zone)
  return time?.round({ smallestUnit: 'millisecond', roundingMode: 'floor' })
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
