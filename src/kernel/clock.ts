import { memoize } from './memoize.ts'

/**
 * Every reading of the system clock is in this file. The real clock decides keys, signatures, nonces, leases,
 * rate limits, idempotency and link expiry. The clock of the business (the real time plus an offset, see
 * `platform/postgres/tenant-session.ts`) decides everything of the domain.
 */
export type Instant = Temporal.Instant

export const realClock = {
  now: (): Instant => Temporal.Instant.fromEpochMilliseconds(Date.now()),
}

export function realNowMs(): number {
  return Date.now()
}

export function earliestOf(instants: Iterable<Instant | null | undefined>): Instant | null {
  let earliest: Instant | null = null
  for (const instant of instants) {
    if (instant != null && (earliest === null || isBefore(instant, earliest))) earliest = instant
  }
  return earliest
}

/** Ten times as fast as `Temporal.Instant.compare`; a billing run compares several times for each plan. */
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
 * The time of a change to a locked object, which never lies before the object's last change. A transaction
 * that waited for the lock started before the last holder changed the object, and jobs run hours ahead while
 * a clock is advanced.
 */
export function timeOfChange(object: { readonly updatedAt: Instant }, at: Instant): Instant {
  return laterOf(at, object.updatedAt)
}

const textOf = memoize((ms: number) => new Date(ms).toISOString())

export function toRfc3339(instant: Instant): string {
  return textOf(instant.epochMilliseconds)
}

export function rfc3339OrNull(instant: Instant | null | undefined): string | null {
  return instant == null ? null : toRfc3339(instant)
}

/** Reads a time that we or PostgreSQL wrote (`2026-11-21 09:53:14.123+00`). Throws RangeError. */
export const instantOf = memoize((text: string): Instant => Temporal.Instant.from(text))
