import { type Instant, realClock } from '#kernel/clock'
import { KEPT_DAYS } from '../storage/due-times.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** How long after each failed attempt the next one is made (decisions, section 8). */
const RETRIES_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]
/** Only later, never earlier: a receiver that was down is not met by everything at once when it is back. */
const JITTER = 0.1
/** A receiver cannot put a delivery off for ever: this is how long deliveries are kept. */
const MAX_RETRY_AFTER_MS = KEPT_DAYS * 24 * HOUR_MS

/**
 * Milliseconds until the next attempt; undefined when the schedule is used up.
 * @param tries attempts made, the one that failed just now included
 * @param retryAfterMs what the receiver asked for: the next attempt is not made before
 */
export function retryDelayMs(
  tries: number,
  retryAfterMs: number | undefined,
  random = Math.random,
): number | undefined {
  const scheduledMs = RETRIES_MS[tries - 1]
  if (scheduledMs === undefined) return undefined
  const askedMs = Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)
  return Math.round(Math.max(scheduledMs, askedMs) * (1 + JITTER * random()))
}

/** `Retry-After` in milliseconds: seconds, or an HTTP date (RFC 9110, section 10.2.3). */
export function readRetryAfter(header: string | undefined): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * SECOND_MS
  const date = readHttpDate(text)
  if (date === undefined) return undefined
  return Math.max(0, date.epochMilliseconds - realClock.now().epochMilliseconds)
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const IMF_FIXDATE = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}:\d{2}:\d{2}) GMT$/

/** `Sun, 06 Nov 1994 08:49:37 GMT`, the only form that is still sent. */
function readHttpDate(text: string): Instant | undefined {
  const [, day, monthName = '', year, time] = IMF_FIXDATE.exec(text) ?? []
  const month = MONTHS.indexOf(monthName) + 1
  if (month === 0) return undefined
  try {
    return Temporal.Instant.from(`${year}-${String(month).padStart(2, '0')}-${day}T${time}Z`)
  } catch {
    return undefined
  }
}
