import type { AcquirerDisputes } from '#modules/acquirers'
import type { BusinessProfile } from '#modules/businesses'
import type { Payments } from '#modules/payments'
import type { Database } from '#platform/postgres/database'
import type { EventLog } from '#platform/events/events'

/** - `leaseMs`: How long a job or a request keeps a dispute to itself while it asks the acquirer. */
export interface DisputesDependencies {
  readonly db: Database
  readonly events: Pick<EventLog, 'append'>
  readonly acquirers: AccountsWithDisputes
  readonly payments: Pick<Payments, 'findByAcquirerReferences'>
  readonly businesses: { profile(businessId: string): Promise<Pick<BusinessProfile, 'timeZone'>> }
  readonly leaseMs?: number
}

interface AccountsWithDisputes {
  accounts(businessId: string): Promise<readonly { readonly id: string; readonly state: string }[]>
  disputesOf(businessId: string, accountId: string): Promise<AcquirerDisputes>
}
