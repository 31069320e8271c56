import type { BusinessProfile } from '#modules/businesses'
import type { Customers } from '#modules/customers'
import type { EventLog } from '#platform/events/events'
import type { Egress } from '#platform/security/egress'
import type { Keyring } from '#platform/security/keyring'
import type { Database } from '#platform/postgres/database'

export interface TaxesDependencies {
  readonly db: Database
  readonly events: EventLog
  readonly egress: Pick<Egress, 'checkUrl' | 'post'>
  readonly keyring: Pick<Keyring, 'seal' | 'open'>
  readonly customers: Pick<Customers, 'findCustomers' | 'lockCustomer'>
  readonly businesses: {
    profile(businessId: string): Promise<Pick<BusinessProfile, 'timeZone'>>
  }
}
