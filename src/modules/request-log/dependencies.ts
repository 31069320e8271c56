import type { Registry } from 'prom-client'
import type { BusinessProfile } from '#modules/businesses'
import type { Database } from '#platform/postgres/database'
import type { Log } from '#platform/observability/log'

export interface RequestLogDependencies {
  readonly db: Database
  readonly businesses: { profile(businessId: string): Promise<Pick<BusinessProfile, 'timeZone'>> }
  readonly registry: Registry
  readonly log: Log
  readonly days: number
}
