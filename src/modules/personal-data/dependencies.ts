import type { Sql } from 'sql-template-tag'
import type { Customers } from '#modules/customers'
import type { PersonalData } from '#platform/personal-data/personal-data'
import type { Database } from '#platform/postgres/database'

/** - `hasOrderSince`: Selects whether a customer `c` has had an order since a time. */
export interface PersonalDataDependencies {
  readonly db: Database
  readonly customers: Pick<Customers, 'announceErased'>
  readonly data: readonly PersonalData[]
  readonly hasOrderSince: (businessId: string, since: string) => Sql
}
