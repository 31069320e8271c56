import { type Instant, isAfter } from '#kernel/clock'
import { localDateOf, startOfLocalDay, type TimeZone } from '#kernel/time-zone'

/** Local days before the end of the card's last month (reference/customers#expiring-cards). */
const NOTICE_DAYS = [30, 7]

export function nextNoticeAt(expiresAt: Instant | null, zone: TimeZone, after: Instant): Instant | null {
  if (expiresAt === null) return null
  const end = localDateOf(expiresAt, zone)
  const notices = NOTICE_DAYS.map((days) => startOfLocalDay(end.subtract({ days }), zone))
  return notices.find((at) => isAfter(at, after)) ?? null
}
