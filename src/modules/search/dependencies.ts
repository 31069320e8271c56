import type { Customers } from '#modules/customers'
import type { Payments } from '#modules/payments'
import type { SearchSource } from '#platform/module'
import type { Database } from '#platform/postgres/database'

export interface SearchDependencies {
  readonly db: Database
  readonly sources: readonly SearchSource[]
  readonly customers: Pick<Customers, 'findCustomers'>
  readonly payments: Pick<Payments, 'orderNames'>
}
