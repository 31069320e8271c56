import { type Lease, newLease } from '#platform/jobs/leases'

/**
 * How long a call to an acquirer may take before someone else may treat it as lost: a timeout of 10 s, up to 10 s of waiting
 * for a free connection, and a margin. A call that arrives even later meets a closed key.
 */
export const LEASE_MS = 30_000

export function leaseNow(): Lease {
  return newLease(LEASE_MS)
}
