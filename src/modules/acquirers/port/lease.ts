import { type Instant, realClock } from '#kernel/clock'

/**
 * How long a call to an acquirer has before somebody else may take it for lost: a timeout of 10 s, as long again to wait for
 * a free connection, and room. A call that arrives even later meets a closed key.
 */
export const LEASE_MS = 30_000

/** On what waits for an acquirer's answer, so that no other process is at it at the same time. By the real clock. */
export interface Lease {
  readonly realNow: Instant
  readonly leasedUntil: Instant
}

export function leaseNow(): Lease {
  const realNow = realClock.now()
  return { realNow, leasedUntil: realNow.add({ milliseconds: LEASE_MS }) }
}
