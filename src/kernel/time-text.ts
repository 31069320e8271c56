import type { Instant } from './clock.ts'

const RFC3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/
const DATE = /^\d{4}-\d{2}-\d{2}$/

/** The years that both RFC 3339 and PostgreSQL can write, with room for a day's arithmetic at either end. */
const EARLIEST = Temporal.PlainDate.from('0001-01-03')
const LATEST = Temporal.PlainDate.from('9999-12-29')

/** Reads an RFC 3339 time, with its offset; undefined when it is none. `Temporal` alone would accept much more. */
export function parseInstant(text: string): Instant | undefined {
  if (!RFC3339.test(text) || parseDate(text.slice(0, 10)) === undefined) return undefined
  try {
    return Temporal.Instant.from(text)
  } catch {
    return undefined
  }
}

/** Reads a full date, `2026-02-28`; undefined when it is none or the month has no such day. */
export function parseDate(text: string): Temporal.PlainDate | undefined {
  if (!DATE.test(text)) return undefined
  try {
    const date = Temporal.PlainDate.from(text, { overflow: 'reject' })
    const known =
      Temporal.PlainDate.compare(date, EARLIEST) >= 0 && Temporal.PlainDate.compare(date, LATEST) <= 0
    return known ? date : undefined
  } catch {
    return undefined
  }
}
