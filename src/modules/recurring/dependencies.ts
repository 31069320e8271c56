import type { BusinessProfile } from '#modules/businesses'
import type { Customers } from '#modules/customers'
import type { Invoices } from '#modules/invoices'
import type { Taxes } from '#modules/taxes'
import type { Payments } from '#modules/payments'
import type { Database } from '#platform/postgres/database'
import type { EventLog } from '#platform/events/events'

export interface RecurringDependencies {
  readonly db: Database
  readonly events: EventLog
  readonly customers: Pick<Customers, 'findCustomers' | 'defaultTokens' | 'renderCustomer'>
  readonly payments: Pick<
    Payments,
    | 'createOrders'
    | 'extendChargeLeases'
    | 'findOrders'
    | 'initiateCharges'
    | 'lockOrdersToCredit'
    | 'ordersOfPlan'
    | 'paymentLink'
    | 'performCharge'
    | 'recordFailedCharges'
    | 'recordOutcomes'
    | 'takenReferences'
    | 'voidOrdersNow'
  >
  readonly invoices: Pick<Invoices, 'issue' | 'leftOfOrderLines' | 'prepare'>
  readonly taxes: Taxes
  readonly businesses: {
    profile(businessId: string): Promise<Pick<BusinessProfile, 'timeZone'>>
  }
  readonly mayReceiveWebhooks: (url: string) => boolean
  readonly maxConcurrentCharges?: number
  readonly leaseRenewalMs?: number
}
