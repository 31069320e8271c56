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

/**
 * A billing run writes and reads the same few times hundreds of thousands of times, and a Temporal object costs more
 * than it looks: beside its making, the collector has to free the memory that it holds outside the heap. So the newest
 * are kept, by text and by milliseconds; a full memory is forgotten, which costs less than keeping score.
 */
const MOST_KEPT = 2_048
const texts = new Map<number, string>()
const instants = new Map<string, Instant>()

/** RFC 3339 in UTC with milliseconds, the form of every time in a response (decisions, section 1). */
export function toRfc3339(instant: Instant): string {
  const ms = instant.epochMilliseconds
  const known = texts.get(ms)
  if (known !== undefined) return known
  if (texts.size === MOST_KEPT) texts.clear()
  const text = instant.toString({ smallestUnit: 'millisecond' })
  texts.set(ms, text)
  return text
}

/** Reads a time that we or PostgreSQL wrote (`2026-11-21 09:53:14.123+00`). Throws RangeError for anything else. */
export function instantOf(text: string): Instant {
  const known = instants.get(text)
  if (known !== undefined) return known
  if (instants.size === MOST_KEPT) instants.clear()
  const instant = Temporal.Instant.from(text)
  instants.set(text, instant)
  return instant
}
