import type { TimeZone } from '#kernel/time-zone'
import type { Customers } from '#modules/customers'
import type { Payments } from '#modules/payments'
import type { Environment } from '#platform/caller'
import type { Database } from '#platform/database'
import type { Links } from '#platform/links'
import type { Log } from '#platform/log'

/** What the pages are made with; compose.ts has the real ones. */
export interface CheckoutNeeds {
  readonly db: Database
  readonly log: Log
  readonly links: Pick<Links, 'read' | 'make' | 'addressOf' | 'basePath'>
  readonly payments: Pick<
    Payments,
    | 'orderForLink'
    | 'paymentLink'
    | 'beginCharges'
    | 'performCharge'
    | 'recordOutcomes'
    | 'askNow'
    | 'takeBack'
  >
  readonly customers: Pick<Customers, 'verification' | 'bind' | 'cardsOf' | 'findCustomers'>
  readonly businesses: {
    profile(businessId: string): Promise<{
      readonly code: string
      readonly name: string
      readonly timeZone: TimeZone
      readonly environment: Environment
    }>
  }
}
