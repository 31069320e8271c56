import { customerErrors } from '#modules/customers'
import type { Caller } from '#platform/caller'
import type { PaymentsContext } from '../context.ts'
import { findSpend, type Spend } from '../storage/order-lookup.repository.ts'

export function customerSpend(
  { db, customers }: PaymentsContext,
  { businessId }: Caller,
  uuid: string,
): Promise<Spend[]> {
  return db.transact(
    businessId,
    async (tx) => {
      if (!(await customers.findCustomers(tx, [uuid])).has(uuid)) throw customerErrors.customer_not_found()
      return findSpend(tx, uuid)
    },
    { isSearch: true },
  )
}
