import type { Tx } from '#platform/postgres/database'
import { errors } from '../api/errors.ts'
import { lockCustomer } from '../storage/customer.repository.ts'
import { findInactive, markErased, personalTexts } from '../storage/personal-data.ts'
import type { Customer } from './customer.ts'

export const customerErasure = {
  /** @throws 404 for an unknown customer */
  lock: async (tx: Tx, uuid: string): Promise<Customer> => {
    const customer = await lockCustomer(tx, uuid)
    if (customer === null) throw errors.customer_not_found()
    return customer
  },
  personalTexts,
  markErased,
  findInactive,
}
