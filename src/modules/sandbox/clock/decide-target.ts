import { type Instant, isAfter } from '#kernel/clock'
import { addDuration } from '#kernel/duration'
import type { Refused } from '#kernel/refusal'
import type { TimeZone } from '#kernel/time-zone'

/** The bound of reference/sandbox#advancing. */
const MAX_YEARS = 10
/** RFC 3339 allows four-digit years only; this leaves room for dates computed from the clock. */
const END_OF_TIME = Temporal.Instant.from('9000-01-01T00:00:00Z')

/** Refuses a target in the past or too far ahead, or returns null. */
export function refuseTarget(
  target: Instant,
  now: Instant,
  zone: TimeZone,
): Refused<'clock_cannot_go_back' | 'advance_too_far'> | null {
  if (isAfter(now, target)) {
    const message = `The clock stands at ${now.toString()} and cannot go back.`
    return { refused: 'clock_cannot_go_back', message }
  }
  const furthest = addDuration(now, { years: MAX_YEARS }, zone)
  const isTooFar = isAfter(target, furthest) || isAfter(target, END_OF_TIME)
  return isTooFar ? { refused: 'advance_too_far' } : null
}
