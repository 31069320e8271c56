import sql from 'sql-template-tag'
import { realClock } from '#kernel/clock'
import type { Instant } from '#kernel/clock'
import { LEASE_MS } from './operation.ts'

/** A lease from now on the real clock, for work that another process must not do at the same time. */
export function leaseNow(): { realNow: Instant; leasedUntil: Instant } {
  const realNow = realClock.now()
  return { realNow, leasedUntil: realNow.add({ milliseconds: LEASE_MS }) }
}

/** Of all tenants. A dead process's call may still arrive: whoever asks about it closes its key. */
export const END_OPERATION_LEASES = sql`
  update acquirer_operations set leased_until = null where leased_until is not null`
