import type { Caller } from '#platform/caller'
import { type PageRequest, renderPage } from '#platform/http/validation/list'
import { findCustomerByReference, findCustomers, listCustomers } from '../storage/customer.repository.ts'
import type { PaymentMethod } from '../profiles/customer.ts'
import { errors } from './errors.ts'
import type { CustomersDependencies } from '../dependencies.ts'
import { TOKEN_TYPE_OF_METHOD } from '../tokens/payment-token.ts'
import { findDefaultTokens, listTokens } from '../storage/payment-token.repository.ts'
import { renderCustomer, renderPaymentToken } from './render.ts'

export async function customerByReference(
  deps: CustomersDependencies,
  caller: Caller,
  referenceNumber: string,
): Promise<{ customer: object }> {
  return deps.db.transact(caller.businessId, async (tx) => {
    const customer = await findCustomerByReference(tx, referenceNumber)
    if (customer === null) throw errors.customer_not_found()
    const tokens = await findDefaultTokens(tx, [customer.uuid])
    return { customer: renderCustomer(deps.links, customer, tokens.get(customer.uuid), tx.now) }
  })
}

export async function customerByUuid(
  deps: CustomersDependencies,
  caller: Caller,
  uuid: string,
): Promise<{ customer: object }> {
  return deps.db.transact(caller.businessId, async (tx) => {
    const customer = (await findCustomers(tx, [uuid])).get(uuid)
    if (customer === undefined) throw errors.customer_not_found()
    const tokens = await findDefaultTokens(tx, [uuid])
    return { customer: renderCustomer(deps.links, customer, tokens.get(uuid), tx.now) }
  })
}

export async function customersPage(
  deps: CustomersDependencies,
  caller: Caller,
  request: PageRequest,
): Promise<object> {
  return deps.db.transact(caller.businessId, async (tx) => {
    const found = await listCustomers(tx, request)
    const tokens = await findDefaultTokens(
      tx,
      found.map((customer) => customer.uuid),
    )
    const { rows, page } = renderPage(
      request,
      found,
      ({ createdAt, uuid }) => ({ at: createdAt, id: uuid }),
      (customer) => renderCustomer(deps.links, customer, tokens.get(customer.uuid), tx.now),
    )
    return { customers: rows, page }
  })
}

export async function listCustomerTokens(
  deps: CustomersDependencies,
  caller: Caller,
  customerUuid: string,
  method: PaymentMethod | undefined,
): Promise<{ payment_tokens: object[] }> {
  const tokenType = method === undefined ? null : TOKEN_TYPE_OF_METHOD[method]
  return deps.db.transact(caller.businessId, async (tx) => {
    const [customers, tokens] = await Promise.all([
      findCustomers(tx, [customerUuid]),
      listTokens(tx, customerUuid, tokenType),
    ])
    if (!customers.has(customerUuid)) throw errors.customer_not_found()
    return { payment_tokens: tokens.map((token) => renderPaymentToken(deps.links, token, tx.now)) }
  })
}
