import type { Tx } from '#platform/postgres/database'
import type { CustomersContext } from '../context.ts'
import { errors } from '../errors.ts'
import { lockCustomer, lockCustomerToErase } from '../storage/customer.repository.ts'
import { findInactive, markErased, personalTexts } from '../storage/personal-data.ts'
import { scheduleAgreementEnds } from '../storage/agreement-end.repository.ts'
import type { Customer } from '../model/customer.ts'

export const customerErasure = {
  lock: async (tx: Tx, uuid: string): Promise<Customer> => {
    const customer = await lockCustomer(tx, uuid)
    if (customer === null) throw errors.customer_not_found()
    return customer
  },
  lockToErase: async (tx: Tx, uuid: string): Promise<Customer> => {
    const customer = await lockCustomerToErase(tx, uuid)
    if (customer === null) throw errors.customer_not_found()
    return customer
  },
  personalTexts,
  markErased,
  findInactive,
}

export async function announceErased(ctx: CustomersContext, tx: Tx, uuid: string): Promise<void> {
  const { erasedAt } = await customerErasure.lock(tx, uuid)
  await scheduleAgreementEnds(tx, uuid, tx.now)
  const data = ctx.present.erasure(uuid, erasedAt ?? tx.now)
  await ctx.events.append(tx, [{ type: 'customer.erased', objectId: uuid, timestamp: tx.now, data }])
}
