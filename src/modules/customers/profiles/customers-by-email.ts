import type { Tx } from '#platform/postgres/database'
import type { Customer } from '../model/customer.ts'
import { uuidsByEmail } from '../storage/customer-filter.ts'
import { findCustomers } from '../storage/customer.repository.ts'

/** The customers with this address, whatever its case. */
export async function findCustomersByEmail(tx: Tx, email: string): Promise<Customer[]> {
  const customers = await findCustomers(tx, await uuidsByEmail(tx, email))
  const wanted = email.toLowerCase()
  return [...customers.values()].filter((customer) => customer.email?.toLowerCase() === wanted)
}
