import { localDateOf, type TimeZone } from '#kernel/time-zone'
import type { InvoiceLine } from '../model/invoice.ts'

type Period = NonNullable<InvoiceLine['period']>

const DATE_LENGTH = 'YYYY-MM-DD'.length

/**
 * Returns the first and the last local day of a period between two local dates or two times (RFC 3339). An end that is a date
 * belongs to the period; an end that is a time does not.
 */
export function periodDates({ start, end }: Period, timeZone: TimeZone): Period {
  const first = dateOf(start, 0, timeZone)
  const last = dateOf(end, 1, timeZone)
  return { start: first, end: last < first ? first : last }
}

function dateOf(time: string, milliseconds: number, timeZone: TimeZone): string {
  if (time.length === DATE_LENGTH) return time
  return localDateOf(Temporal.Instant.from(time).subtract({ milliseconds }), timeZone).toString()
}
