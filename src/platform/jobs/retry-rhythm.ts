import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#kernel/time-units'

/** How long webhooks and messages wait after each try (reference/events#retries). */
const RETRIES_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]
/** Jitter only adds: no retry is early, and a receiver that recovers does not get all of them at once. */
const JITTER = 0.1

/**
 * Milliseconds until the next try, jitter included; undefined when no retry is left.
 * @param tries made, including the one that just failed
 * @param atLeastMs what the receiver asked for
 */
export function retryDelayAfter(tries: number, atLeastMs = 0, random = Math.random): number | undefined {
  const scheduledMs = RETRIES_MS[tries - 1]
  return scheduledMs === undefined
    ? undefined
    : Math.round(Math.max(scheduledMs, atLeastMs) * (1 + JITTER * random()))
}
