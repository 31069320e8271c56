import { type Instant, realClock } from '#kernel/clock'
import { HOUR_MS, SECOND_MS } from '#kernel/time-units'
import { retryDelayAfter } from '#platform/jobs/retry-rhythm'
import { RETENTION_DAYS } from '../model/timings.ts'

const MAX_RETRY_AFTER_MS = RETENTION_DAYS * 24 * HOUR_MS

/**
 * Milliseconds until the next attempt (reference/events#retries); undefined when no retry is left.
 * @param tries attempts made, including the one that just failed
 */
export function retryDelayMs(
  tries: number,
  retryAfterMs: number | undefined,
  random = Math.random,
): number | undefined {
  return retryDelayAfter(tries, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS), random)
}

/** Reads `Retry-After` as milliseconds. The header holds seconds or an HTTP date (RFC 9110, section 10.2.3). */
export function readRetryAfter(header: string | undefined): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * SECOND_MS
  const date = readHttpDate(text)
  if (date === undefined) return undefined
  return Math.max(0, date.epochMilliseconds - realClock.now().epochMilliseconds)
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const IMF_FIXDATE = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}:\d{2}:\d{2}) GMT$/

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
