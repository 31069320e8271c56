/**
 * The only place that asks the system for the time.
 *
 * There are two clocks. The real clock decides keys, signatures, nonces, leases, rate limits,
 * idempotency and link expiry. The business's clock (real time plus an offset, see
 * `platform/database.ts`) decides everything of the domain.
 */
export type Instant = Temporal.Instant

export interface Clock {
  now(): Instant
}

export const realClock: Clock = {
  now: () => Temporal.Instant.fromEpochMilliseconds(Date.now()),
}

/** Real time in milliseconds since the epoch, for leases and latencies where an object is too much. */
export function realNowMs(): number {
  return Date.now()
}

/** RFC 3339 in UTC with milliseconds, the form of every time in a response (decisions, section 1). */
export function toRfc3339(instant: Instant): string {
  return instant.toString({ smallestUnit: 'millisecond' })
}
