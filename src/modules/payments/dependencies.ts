import type { Acquirers } from '#modules/acquirers'
import type { BusinessProfile } from '#modules/businesses'
import type { Customers } from '#modules/customers'
import type { Database } from '#platform/postgres/database'
import type { EventLog } from '#platform/events/events'
import type { Links } from '#platform/security/links'
import type { Log } from '#platform/observability/log'

/** What `Payments` is made with; compose.ts has the real ones. */
export interface PaymentsDependencies {
  readonly db: Database
  readonly events: EventLog
  readonly customers: Pick<Customers, 'findCustomers' | 'findTokens' | 'openInstrument'>
  readonly acquirers: Pick<Acquirers, 'forBusiness'>
  readonly businesses: {
    /** From memory after the first time, so that no transaction waits for it. */
    profile(businessId: string): Promise<Pick<BusinessProfile, 'timeZone' | 'environment'>>
  }
  readonly links: Pick<Links, 'make'>
  /** Whether events may be sent to this URL (decisions, section 8: no private target). */
  readonly mayReceiveWebhooks: (url: string) => boolean
  readonly log: Log
}
