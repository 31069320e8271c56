import type { Instant } from '#kernel/clock'
import { startOfLocalDay, type TimeZone } from '#kernel/time-zone'

/** An invoice is due until the end of the day. */
export function overdueAt(dueDate: Temporal.PlainDate, zone: TimeZone): Instant {
  return startOfLocalDay(dueDate.add({ days: 1 }), zone)
}
