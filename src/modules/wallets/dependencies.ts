import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { BusinessProfile } from '#modules/businesses'
import type { Database } from '#platform/postgres/database'
import type { EventLog } from '#platform/events/events'
import type { WalletConfiguration } from './configuration/configuration.ts'

/** What the module needs of the others; compose.ts gives it. */
export interface WalletsDependencies {
  readonly db: Database
  readonly events: EventLog
  readonly businesses: {
    /** Deposit addresses are derived under the tenant's number. */
    profile(businessId: string): Promise<Pick<BusinessProfile, 'number'>>
  }
  /** From `readWalletConfiguration`. */
  readonly configuration: WalletConfiguration
  readonly log: Logger
  /** The process's metrics; the watcher adds its lag. */
  readonly registry: Registry
}
