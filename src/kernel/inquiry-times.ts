import type { Instant } from './clock.ts'

/** When an acquirer is asked again what became of something; of payments and of bindings alike. */

const HOUR_MS = 3_600_000
/** After how long an unknown outcome is asked about (decisions, section 3); then hourly. */
const INQUIRY_DELAYS_MS = [1_000, 10_000, 60_000, 600_000]
/** How long a payer has to confirm (decisions, section 9). */
const PAYER_DEADLINE_MS = 24 * HOUR_MS

/** When to ask about an unknown outcome again, that was asked about `inquiries` times before. */
export function nextInquiryAt(inquiries: number, at: Instant): Instant {
  return at.add({ milliseconds: INQUIRY_DELAYS_MS[inquiries] ?? HOUR_MS })
}

/**
 * When to ask again about what waits for its payer since `since`: after half as long again as it has waited, so soon at
 * first, at most hourly, and exactly at the payer's deadline.
 */
export function nextPayerInquiryAt(since: Instant, at: Instant): Instant {
  const waitedMs = at.epochMilliseconds - since.epochMilliseconds
  const waitMs = Math.min(HOUR_MS, Math.max(1_000, Math.floor(waitedMs / 2)))
  const untilDeadlineMs = PAYER_DEADLINE_MS - waitedMs
  return at.add({ milliseconds: untilDeadlineMs > 0 ? Math.min(waitMs, untilDeadlineMs) : waitMs })
}

/** Whether the payer's time to confirm has run out. */
export function isPayerDeadlinePassed(since: Instant, at: Instant): boolean {
  return at.epochMilliseconds - since.epochMilliseconds >= PAYER_DEADLINE_MS
}
