import type { Logger } from 'pino'
import type { BusinessProfile } from '#modules/businesses'
import type { Database } from '#platform/postgres/database'
import type { Job } from '#platform/jobs/jobs'

/** What the module needs of the others; compose.ts gives it. */
export interface SandboxDependencies {
  readonly db: Database
  readonly businesses: { profile(businessId: string): Promise<Pick<BusinessProfile, 'timeZone'>> }
  /** All due work; what is on the real clock is left out. Kinds that are due at the same moment are done in this order. */
  readonly jobs: readonly Job[]
  readonly log: Logger
  /** How long a driver that is not heard of is waited for, and how often it is heard of. */
  readonly leaseMs?: number
  readonly renewMs?: number
}
