import { realClock } from '#kernel/clock'
import type { Instant } from '#kernel/clock'
import { LEASE_MS } from './operation.ts'

/** A lease from now on the real clock, for work that another process must not do at the same time. */
export function leaseNow(): { realNow: Instant; leasedUntil: Instant } {
  const realNow = realClock.now()
  return { realNow, leasedUntil: realNow.add({ milliseconds: LEASE_MS }) }
}
