import type { Caller, Environment } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import type { AccountStatistics } from './accounts/statistics.ts'
import type { AcquirersDependencies } from './dependencies.ts'
import type { SealedAccount } from './model/account.ts'
import type { ConnectedAcquirer } from './port/adapter.ts'
import type { RoutingConfigurations } from './routing/routing-configuration.ts'
import type { RouteChooser } from './routing/tenant-router.ts'

/** Called in a transaction, so it must touch nothing but the database. */
export type AccountCreatedHandler = (tx: Tx, accountId: string) => Promise<void>

export interface AcquirersContext extends AcquirersDependencies {
  readonly configurations: RoutingConfigurations
  readonly statistics: AccountStatistics
  readonly chooser: RouteChooser
  readonly accountCreated: AccountCreatedHandler[]
  readonly connected: (
    businessId: string,
    environment: Environment,
    account: SealedAccount,
  ) => ConnectedAcquirer
}

export async function changing<Result>(
  { configurations }: AcquirersContext,
  { businessId }: Caller,
  change: () => Promise<Result>,
): Promise<Result> {
  try {
    return await change()
  } finally {
    configurations.drop(businessId)
  }
}
