import type { BusinessProfile } from '#modules/businesses'
import type { Customers } from '#modules/customers'
import type { Payments } from '#modules/payments'
import type { Database } from '#platform/postgres/database'
import type { EventLog } from '#platform/events/events'

/** What `Recurring` is made with; compose.ts has the real ones. */
export interface RecurringDependencies {
  readonly db: Database
  readonly events: EventLog
  readonly customers: Pick<Customers, 'findCustomers' | 'defaultTokens' | 'renderCustomer'>
  readonly payments: Payments
  readonly businesses: {
    profile(businessId: string): Promise<Pick<BusinessProfile, 'timeZone'>>
  }
  /** Whether events may be sent to this URL (decisions, section 8: no private target). */
  readonly mayReceiveWebhooks: (url: string) => boolean
  /** How many charges are at the acquirer at one time, and how often those that wait for it are kept ours. */
  readonly chargesUnderWay?: number
  readonly keepMs?: number
}
