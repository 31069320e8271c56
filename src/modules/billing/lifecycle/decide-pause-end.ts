import { type Instant, isAfter } from '#kernel/clock'
import type { Refused } from '#kernel/refusal'
import type { TimeZone } from '#kernel/time-zone'

/**
 * @param end null for a pause that lasts until somebody ends it
 * @param maxDays bounds the pause, which then always ends
 */
export function decidePauseEnd(
  end: Instant | null,
  maxDays: number | undefined,
  zone: TimeZone,
  at: Instant,
): Instant | null | Refused<'until_invalid'> {
  if (maxDays === undefined) return end
  const latest = at.toZonedDateTimeISO(zone).add({ days: maxDays }).toInstant()
  if (end === null) return latest
  if (!isAfter(end, latest)) return end
  return {
    refused: 'until_invalid',
    param: 'until',
    message: `until must be at most ${maxDays} days from now.`,
  }
}
