import type { Instant } from '#kernel/clock'
import type { TimeZone } from '#kernel/time-zone'

export function timeText(at: Instant, zone: TimeZone): string {
  const local = at.toZonedDateTimeISO(zone)
  return `${local.toPlainDate().toString()} ${local.toPlainTime().toString({ smallestUnit: 'minute' })}`
}
