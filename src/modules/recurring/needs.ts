import type { Instant } from '#kernel/clock'
import type { TimeZone } from '#kernel/time-zone'
import type { Customer, PaymentToken } from '#modules/customers'
import type { Payments } from '#modules/payments'
import type { Database, Tx } from '#platform/database'
import type { EventLog } from '#platform/events'

/** What `Recurring` is made with; compose.ts has the real ones. */
export interface RecurringNeeds {
  readonly db: Database
  readonly events: EventLog
  readonly customers: {
    findCustomers(tx: Tx, uuids: readonly string[]): Promise<Map<string, Customer>>
    defaultTokens(tx: Tx, customerUuids: readonly string[]): Promise<Map<string, PaymentToken>>
    renderCustomer(customer: Customer, defaultToken: PaymentToken | undefined, at: Instant): object
  }
  readonly payments: Payments
  readonly businesses: {
    profile(businessId: string): Promise<{ readonly timeZone: TimeZone }>
  }
  /** Whether events may be sent to this URL (decisions, section 8: no private target). */
  readonly mayReceiveWebhooks: (url: string) => boolean
  /** How many charges are at the acquirer at one time, and how often those that wait for it are kept ours. */
  readonly chargesUnderWay?: number
  readonly keepMs?: number
}
