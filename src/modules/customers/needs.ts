import type { Acquirer } from '#modules/acquirers'
import type { Database } from '#platform/database'
import type { EventLog } from '#platform/events'
import type { Keyring } from '#platform/keyring'

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

export interface VerificationLinks {
  /** The address of a token's verification page; only we can have made it. */
  make(link: { readonly businessId: string; readonly purpose: 'verification'; readonly id: string }): string
}
