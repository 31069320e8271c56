import type { Acquirers } from '#modules/acquirers'
import type { BusinessProfile } from '#modules/businesses'
import type { Customers } from '#modules/customers'
import type { Database } from '#platform/postgres/database'
import type { EventLog } from '#platform/events/events'
import type { Keyring } from '#platform/security/keyring'
import type { Links } from '#platform/security/links'
import type { Log } from '#platform/observability/log'
import type { LostPeriod } from '#platform/processes/recoveries'

export type { LostPeriod }

export interface PaymentsDependencies {
  readonly db: Database
  readonly events: EventLog
  readonly customers: Pick<
    Customers,
    | 'findCustomers'
    | 'holdCustomers'
    | 'findTokens'
    | 'openInstrument'
    | 'askAboutAgreements'
    | 'keepInstruments'
  >
  readonly acquirers: Pick<Acquirers, 'router' | 'open' | 'repeatHolds' | 'repeatFailures' | 'laterFailure'>
  readonly businesses: {
    profile(businessId: string): Promise<Pick<BusinessProfile, 'timeZone' | 'environment'>>
  }
  readonly links: Pick<Links, 'make'>
  readonly keyring: Pick<Keyring, 'seal' | 'open'>
  /** False for private targets (reference/events#receiver-addresses). */
  readonly mayReceiveWebhooks: (url: string) => boolean
  readonly recoveries?: { periods(): readonly LostPeriod[] } | undefined
  readonly log: Log
}
