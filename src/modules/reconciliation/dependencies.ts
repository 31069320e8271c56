import type { SettlementReports } from '#modules/acquirers'
import type { BusinessProfile } from '#modules/businesses'
import type { Disputes } from '#modules/disputes'
import type { Payments } from '#modules/payments'
import type { Database } from '#platform/postgres/database'

/** - `leaseMs`: How long a process keeps a run to itself while it asks the acquirer. */
export interface ReconciliationDependencies {
  readonly db: Database
  readonly acquirers: AccountsWithReports
  readonly businesses: { profile(businessId: string): Promise<Pick<BusinessProfile, 'timeZone'>> }
  readonly payments: Pick<
    Payments,
    'currenciesPaidAt' | 'findByAcquirerReferences' | 'movementsOf' | 'newestAtSimulator'
  >
  readonly disputes: Pick<Disputes, 'findByReferences' | 'listLost'>
  readonly leaseMs?: number
}

interface AccountsWithReports {
  accounts(businessId: string): Promise<readonly { readonly id: string; readonly state: string }[]>
  settlementOf(businessId: string, accountId: string): Promise<SettlementReports>
  settleAtSimulator(businessId: string, keys: readonly string[]): Promise<boolean>
}
