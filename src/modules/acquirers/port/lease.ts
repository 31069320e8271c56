import { type Instant, realClock } from '#kernel/clock'

/**
 * How long a call to an acquirer may take before someone else may treat it as lost: a timeout of 10 s, up to 10 s of waiting
 * for a free connection, and a margin. A call that arrives even later meets a closed key.
 */
export const LEASE_MS = 30_000

export interface Lease {
  readonly realNow: Instant
  readonly leasedUntil: Instant
}

export function leaseNow(): Lease {
  const realNow = realClock.now()
  return { realNow, leasedUntil: realNow.add({ milliseconds: LEASE_MS }) }
}
