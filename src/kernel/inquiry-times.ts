import { type Instant, isBefore } from './clock.ts'

const HOUR_MS = 3_600_000
const INQUIRY_DELAYS_MS = [1_000, 10_000, 60_000, 600_000]
const PAYER_DEADLINE_MS = 24 * HOUR_MS

export function nextInquiryAt(inquiries: number, at: Instant): Instant {
  return at.add({ milliseconds: INQUIRY_DELAYS_MS[inquiries] ?? HOUR_MS })
}

/**
 * Waits half as long as the payer has taken already, at least a second and at most an hour, and asks exactly
 * at the payer's deadline.
 */
export function nextPayerInquiryAt(since: Instant, at: Instant): Instant {
  const waitedMs = at.epochMilliseconds - since.epochMilliseconds
  const waitMs = Math.min(HOUR_MS, Math.max(1_000, Math.floor(waitedMs / 2)))
  const untilDeadlineMs = PAYER_DEADLINE_MS - waitedMs
  return at.add({ milliseconds: untilDeadlineMs > 0 ? Math.min(waitMs, untilDeadlineMs) : waitMs })
}

export function payerDeadline(since: Instant): Instant {
  return since.add({ milliseconds: PAYER_DEADLINE_MS })
}

export function isPayerDeadlinePassed(since: Instant, at: Instant): boolean {
  return !isBefore(at, payerDeadline(since))
}
