import type { Caller } from '#platform/caller'
import type { CustomersContext, TokenView } from '../context.ts'
import { errors } from '../errors.ts'
import type { PaymentMethod } from '../model/customer.ts'
import { findCustomers } from '../storage/customer.repository.ts'
import { listTokens } from '../storage/payment-token.repository.ts'
import { TOKEN_TYPE_OF_METHOD } from '../model/payment-token.ts'

export async function tokensOfCustomer(
  ctx: CustomersContext,
  caller: Caller,
  customerUuid: string,
  method: PaymentMethod | undefined,
): Promise<TokenView[]> {
  const tokenType = method === undefined ? null : TOKEN_TYPE_OF_METHOD[method]
  return ctx.db.transact(caller.businessId, async (tx) => {
    const [customers, tokens] = await Promise.all([
      findCustomers(tx, [customerUuid]),
      listTokens(tx, customerUuid, tokenType),
    ])
    if (!customers.has(customerUuid)) throw errors.customer_not_found()
    return tokens.map((token) => ({ token, at: tx.now }))
  })
}
