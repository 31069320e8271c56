import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { BusinessProfile } from '#modules/businesses'
import type { Database } from '#platform/postgres/database'
import type { EventLog } from '#platform/events/events'
import type { WalletConfiguration } from './configuration/configuration.ts'

/** Provided by compose.ts. */
export interface WalletsDependencies {
  readonly db: Database
  readonly events: EventLog
  readonly businesses: {
    /** The tenant's number is the first index of the derivation path of its addresses. */
    profile(businessId: string): Promise<Pick<BusinessProfile, 'number'>>
  }
  readonly configuration: WalletConfiguration
  readonly log: Logger
  readonly registry: Registry
}
