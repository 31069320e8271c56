import type { TimeZone } from '#kernel/time-zone'
import type { Acquirer, Instrument } from '#modules/acquirers'
import type { Customer, PaymentToken } from '#modules/customers'
import type { Environment } from '#platform/caller'
import type { Database, Tx } from '#platform/database'
import type { EventLog } from '#platform/events'
import type { Log } from '#platform/log'

/** What `Payments` is made with; compose.ts has the real ones. */
export interface PaymentsNeeds {
  readonly db: Database
  readonly events: EventLog
  readonly customers: {
    findCustomers(tx: Tx, uuids: readonly string[]): Promise<Map<string, Customer>>
    findTokens(tx: Tx, tokens: readonly string[]): Promise<Map<string, PaymentToken>>
    openInstrument(token: PaymentToken): Instrument
  }
  readonly acquirers: {
    /** Throws 503 `acquirer_not_configured` for a live environment without a real acquirer. */
    forBusiness(business: { businessId: string; environment: Environment }): Acquirer
  }
  readonly businesses: {
    /** From memory after the first time, so that no transaction waits for it. */
    profile(businessId: string): Promise<{ readonly timeZone: TimeZone; readonly environment: Environment }>
  }
  readonly links: OrderLinks
  /** Whether events may be sent to this URL (decisions, section 8: no private target). */
  readonly mayReceiveWebhooks: (url: string) => boolean
  readonly log: Log
}

/** Signed links to pages of an order; they carry the tenant and expire after 30 real days. */
export interface OrderLinks {
  /** `payment`: the page where the payer pays. `download`: the invoice or receipt. */
  make(link: {
    readonly businessId: string
    readonly purpose: 'payment' | 'download'
    readonly id: string
  }): string
}
