import type { BusinessProfile } from '#modules/businesses'
import type { Customers } from '#modules/customers'
import type { EventLog } from '#platform/events/events'
import type { Database } from '#platform/postgres/database'

export interface CatalogueDependencies {
  readonly db: Database
  readonly events: EventLog
  readonly customers: Pick<Customers, 'findCustomers'>
  readonly businesses: {
    profile(businessId: string): Promise<Pick<BusinessProfile, 'timeZone'>>
  }
}
