import type { BusinessProfile } from '#modules/businesses'
import type { Customers } from '#modules/customers'
import type { Payments } from '#modules/payments'
import type { Taxes } from '#modules/taxes'
import type { EventLog } from '#platform/events/events'
import type { Database } from '#platform/postgres/database'

export interface PlansDependencies {
  readonly db: Database
  readonly events: EventLog
  readonly customers: Pick<Customers, 'findCustomers' | 'holdCustomers' | 'defaultTokens'>
  readonly payments: Pick<Payments, 'findOrders' | 'paymentLink'>
  readonly taxes: Taxes
  readonly businesses: {
    profile(businessId: string): Promise<Pick<BusinessProfile, 'timeZone'>>
  }
  readonly mayReceiveWebhooks: (url: string) => boolean
}
