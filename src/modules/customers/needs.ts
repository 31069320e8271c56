import type { Acquirer } from '#modules/acquirers'
import type { Database } from '#platform/database'
import type { EventLog } from '#platform/events'

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

/** Envelope encryption: a data key per record, wrapped by a rotatable key; tenant and field are bound to it. */
export interface CardKeyring {
  seal(plain: string, bound: SealBinding): string
  open(sealed: string, bound: SealBinding): string
  /** The same record under the newest key; answers its argument when it is under it already. */
  rewrap(sealed: string, bound: SealBinding): string
}

export interface SealBinding {
  readonly businessId: string
  readonly field: string
}

export interface VerificationLinks {
  /** The address of a page of ours that only we can have made. */
  signLink(link: {
    readonly businessId: string
    readonly purpose: 'verification'
    readonly id: string
  }): string
}
