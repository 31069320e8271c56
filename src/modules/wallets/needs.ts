import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Database } from '#platform/database'
import type { EventLog } from '#platform/events'
import type { WalletConfiguration } from './configuration.ts'

/** What the module needs of the others; compose.ts gives it. */
export interface WalletsNeeds {
  readonly db: Database
  readonly events: EventLog
  readonly businesses: {
    /** `number` counts tenants: their deposit addresses are derived under it. */
    profile(businessId: string): Promise<{ readonly number: number }>
  }
  /** From `readWalletConfiguration`. */
  readonly configuration: WalletConfiguration
  readonly log: Logger
  /** The process's metrics; the watcher adds its lag. */
  readonly registry: Registry
}
