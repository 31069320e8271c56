import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import { editMetadata } from '#platform/http/validation/metadata'
import { insertTerms } from '#platform/search/term-index'
import { CUSTOMER_TERMS } from '../storage/customer-search.repository.ts'
import { findCustomerByReference, insertCustomer } from '../storage/customer.repository.ts'
import type { NewCustomer } from './customer.ts'
import { errors } from '../api/errors.ts'
import type { CustomersDependencies } from '../dependencies.ts'
import { renderCustomer } from '../api/render.ts'

export async function createCustomer(
  deps: CustomersDependencies,
  caller: Caller,
  request: NewCustomer,
): Promise<{ customer: object }> {
  const { reference_number: referenceNumber } = request
  const metadata = editMetadata(null, request.metadata, 'customer.metadata')
  return once(deps.db, caller, async (tx) => {
    const customer = await insertCustomer(tx, {
      uuid: newId('cus'),
      referenceNumber,
      profile: request,
      metadata,
      at: tx.now,
    })
    if (customer === null) {
      const existing = await findCustomerByReference(tx, referenceNumber)
      throw errors.customer_exists({
        param: 'customer.reference_number',
        ...(existing && {
          message: `Customer ${existing.uuid} already has this reference number.`,
          data: { customer: { uuid: existing.uuid, reference_number: referenceNumber } },
        }),
      })
    }
    insertTerms(tx, CUSTOMER_TERMS, [customer.uuid])
    return { customer: renderCustomer(deps.links, customer, undefined, tx.now) }
  })
}
