import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { BusinessProfile } from '#modules/businesses'
import type { Database } from '#platform/postgres/database'
import type { EventLog } from '#platform/events/events'
import type { WalletConfiguration } from './configuration/configuration.ts'

export interface WalletsDependencies {
  readonly db: Database
  readonly events: EventLog
  readonly businesses: {
    profile(businessId: string): Promise<Pick<BusinessProfile, 'number' | 'environment'>>
  }
  readonly configuration: WalletConfiguration
  readonly log: Logger
  readonly registry: Registry
}
