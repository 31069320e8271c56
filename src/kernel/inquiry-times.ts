import { type Instant, isBefore } from './clock.ts'
import { HOUR_MS } from './time-units.ts'

const INQUIRY_DELAYS_MS = [1_000, 10_000, 60_000, 600_000]
/** How long a payer may take (reference/customers#binding). */
const PAYER_DEADLINE_MS = 24 * HOUR_MS

export function nextInquiryAt(inquiries: number, at: Instant, quietUntil?: Instant): Instant {
  const delayMs = INQUIRY_DELAYS_MS[inquiries]
  return delayMs === undefined ? nextHourAt(at, quietUntil) : at.add({ milliseconds: delayMs })
}

/**
 * An hour after `at`. While a clock is advanced, nothing changes at the acquirer until `quietUntil`, so one inquiry in the
 * last full hour replaces one every hour.
 */
export function nextHourAt(at: Instant, quietUntil = at): Instant {
  const hours = Math.floor((quietUntil.epochMilliseconds - at.epochMilliseconds) / HOUR_MS)
  return at.add({ hours: Math.max(1, hours) })
}

export function nextPayerInquiryAt(since: Instant, at: Instant, quietUntil?: Instant): Instant {
  if (isPayerDeadlinePassed(since, at)) return nextHourAt(at, quietUntil)
  const waitedMs = at.epochMilliseconds - since.epochMilliseconds
  const waitMs = Math.min(HOUR_MS, Math.max(1_000, Math.floor(waitedMs / 2)))
  return at.add({ milliseconds: Math.min(waitMs, PAYER_DEADLINE_MS - waitedMs) })
}

export function payerDeadline(since: Instant): Instant {
  return since.add({ milliseconds: PAYER_DEADLINE_MS })
}

export function isPayerDeadlinePassed(since: Instant, at: Instant): boolean {
  return !isBefore(at, payerDeadline(since))
}
