import type { Acquirer } from '#modules/acquirers'
import type { Database } from '#platform/database'
import type { EventLog } from '#platform/events'
import type { Keyring } from '#platform/keyring'
import type { Links } from '#platform/links'

/** What the module needs of the others; compose.ts gives it. */
export interface CustomersNeeds {
  readonly db: Database
  readonly events: EventLog
  readonly acquirers: {
    /** Throws 503 `acquirer_not_configured` for a live environment without a real acquirer. */
    forBusiness(business: { businessId: string; environment: 'test' | 'live' }): Acquirer
  }
  readonly businesses: {
    profile(businessId: string): Promise<{ readonly timeZone: string; readonly environment: 'test' | 'live' }>
  }
  readonly keyring: CardKeyring
  readonly links: VerificationLinks
}

/** Seals and opens card numbers. */
export type CardKeyring = Pick<Keyring, 'seal' | 'open' | 'rewrap'>

/** Makes the addresses of verification pages. */
export type VerificationLinks = Pick<Links, 'signLink'>
