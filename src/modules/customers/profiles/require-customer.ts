import { errors } from '../errors.ts'
import type { Customer } from '../model/customer.ts'

/**
 * Returns a customer for whom something new may be made, and throws for one who is unknown or erased.
 * @param param the member of the request that names the customer; none if the path does
 */
export function requireCustomer(customer: Customer | null | undefined, param?: string): Customer {
  const detail = param === undefined ? {} : { param }
  if (customer == null) throw errors.customer_not_found(detail)
  if (customer.erasedAt !== null) throw errors.customer_erased(detail)
  return customer
}
