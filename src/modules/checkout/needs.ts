import type { TimeZone } from '#kernel/time-zone'
import type { Customers } from '#modules/customers'
import type { Payments } from '#modules/payments'
import type { Environment } from '#platform/caller'
import type { Database } from '#platform/database'
import type { Links } from '#platform/links'

/** What the pages are made with; compose.ts has the real ones. */
export interface CheckoutNeeds {
  readonly db: Database
  readonly links: Pick<Links, 'read' | 'make'>
  readonly payments: Pick<
    Payments,
    'orderForLink' | 'paymentLink' | 'beginCharges' | 'performCharge' | 'recordOutcomes'
  > &
    Partial<PaymentsUnderWay>
  readonly customers: Pick<
    Customers,
    'verification' | 'confirmVerification' | 'bind' | 'tokens' | 'findCustomers'
  >
  readonly businesses: {
    profile(businessId: string): Promise<{
      readonly code: string
      readonly name: string
      readonly timeZone: TimeZone
      readonly environment: Environment
    }>
  }
}

/** What a page does about a payment that is under way, before the due work comes to it. Without it, pages only wait. */
interface PaymentsUnderWay {
  /** Asks the acquirer at once about what is under way of the order. Harmless while somebody else is at it. */
  askNow(businessId: string, orderId: string): Promise<void>
  /** Takes back a payment that waits for its payer, so that the order can be paid in another way. It may be paid already. */
  takeBack(businessId: string, orderId: string, transactionId: string): Promise<void>
}
