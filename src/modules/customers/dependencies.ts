import type { Acquirers } from '#modules/acquirers'
import type { BusinessProfile } from '#modules/businesses'
import type { Database } from '#platform/postgres/database'
import type { EventLog } from '#platform/events/events'
import type { Keyring } from '#platform/security/keyring'
import type { Links } from '#platform/security/links'

export interface CustomersDependencies {
  readonly db: Database
  readonly events: EventLog
  readonly acquirers: Pick<Acquirers, 'router' | 'open' | 'connected'>
  readonly businesses: {
    profile(businessId: string): Promise<Pick<BusinessProfile, 'timeZone' | 'environment'>>
  }
  /** The names that users and API keys have now, by their ids. */
  readonly actorNames: (businessId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
  readonly keyring: CardKeyring & Pick<Keyring, 'derivedKeys'>
  readonly links: Pick<Links, 'make'>
}

export type CardKeyring = Pick<Keyring, 'seal' | 'open'>
