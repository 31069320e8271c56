import { memoize } from './memoize.ts'

/**
 * The only place that asks the system for the time.
 *
 * There are two clocks. The real clock decides keys, signatures, nonces, leases, rate limits,
 * idempotency and link expiry. The business's clock (real time plus an offset, see
 * `platform/business-clock.ts`) decides everything of the domain.
 */
export type Instant = Temporal.Instant

export const realClock = {
  now: (): Instant => Temporal.Instant.fromEpochMilliseconds(Date.now()),
}

/** Real time in milliseconds since the epoch, for leases and latencies where an object is too much. */
export function realNowMs(): number {
  return Date.now()
}

/** The earliest of those that are there; null when none is. */
export function earliestOf(instants: Iterable<Instant | null | undefined>): Instant | null {
  let earliest: Instant | null = null
  for (const instant of instants) {
    if (instant != null && (earliest === null || isBefore(instant, earliest))) earliest = instant
  }
  return earliest
}

/** Temporal's own comparison costs ten times as much, many times for each plan of a billing run. */
export function isBefore(a: Instant, b: Instant): boolean {
  return a.epochNanoseconds < b.epochNanoseconds
}

export function isAfter(a: Instant, b: Instant): boolean {
  return isBefore(b, a)
}

export function laterOf(a: Instant, b: Instant): Instant {
  return isBefore(a, b) ? b : a
}

/**
 * When a change takes place that was begun at `at`, of an object that is locked by now: its times never run backwards. Who
 * had to wait for the lock began before its last holder, and while a clock is advanced due work goes hours ahead of it.
 */
export function timeOfChange(object: { readonly updatedAt: Instant }, at: Instant): Instant {
  return laterOf(at, object.updatedAt)
}

const textOf = memoize((ms: number) => new Date(ms).toISOString())

/** RFC 3339 in UTC with milliseconds, the form of every time in a response (decisions, section 1). */
export function toRfc3339(instant: Instant): string {
  return textOf(instant.epochMilliseconds)
}

/** As `toRfc3339`; null for a time that is not there. */
export function rfc3339OrNull(instant: Instant | null | undefined): string | null {
  return instant == null ? null : toRfc3339(instant)
}

/** Reads a time that we or PostgreSQL wrote (`2026-11-21 09:53:14.123+00`). Throws RangeError for anything else. */
export const instantOf = memoize((text: string): Instant => Temporal.Instant.from(text))
