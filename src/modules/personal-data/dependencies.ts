import type { Sql } from 'sql-template-tag'
import type { Customers } from '#modules/customers'
import type { PersonalData } from '#platform/personal-data/personal-data'
import type { Database } from '#platform/postgres/database'

export interface PersonalDataDependencies {
  readonly db: Database
  readonly customers: Pick<Customers, 'announceErased'>
  readonly data: readonly PersonalData[]
  readonly hasOrderSince: (businessId: string, since: string) => Sql
}
