import type { Logger } from 'pino'
import type { SimulatorAcquirer } from '#modules/acquirers'
import type { BusinessProfile } from '#modules/businesses'
import type { Database } from '#platform/postgres/database'
import type { Job } from '#platform/jobs/jobs'

/**
 * - `jobs`: All jobs, in the order in which they run when several are due at the same moment. Jobs on the real clock
 *   are ignored.
 * - `leaseMs`: Lease of the process that advances a clock, and how often it renews the lease.
 */
export interface SandboxDependencies {
  readonly db: Database
  readonly businesses: { profile(businessId: string): Promise<Pick<BusinessProfile, 'timeZone'>> }
  readonly jobs: readonly Job[]
  readonly simulator: Pick<SimulatorAcquirer, 'faults'>
  readonly log: Logger
  readonly leaseMs?: number
  readonly renewMs?: number
}
