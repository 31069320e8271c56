import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import { editMetadata } from '#platform/http/validation/metadata'
import { insertTerms } from '#platform/search/term-index'
import { CUSTOMER_TERMS } from '../storage/customer-search.repository.ts'
import { findCustomerByReference, insertCustomer } from '../storage/customer.repository.ts'
import type { NewCustomer } from '../model/customer-requests.ts'
import { errors } from '../errors.ts'
import type { CustomersContext, CustomerView } from '../context.ts'

export async function createCustomer(
  ctx: CustomersContext,
  caller: Caller,
  request: NewCustomer,
): Promise<CustomerView> {
  const { reference_number: referenceNumber } = request
  const metadata = editMetadata(null, request.metadata, 'customer.metadata')
  return once(ctx.db, caller, async (tx) => {
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
    return { customer, defaultToken: undefined, at: tx.now }
  })
}
