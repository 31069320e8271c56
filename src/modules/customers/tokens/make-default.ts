import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { CustomersContext, TokenView } from '../context.ts'
import { errors } from '../errors.ts'
import { isChargeable } from '../model/payment-token.ts'
import { handleDefaultToken } from '../profiles/default-token.ts'
import { lockCustomer, setDefaultToken } from '../storage/customer.repository.ts'
import { findTokens } from '../storage/payment-token.repository.ts'

export function makeDefault(
  ctx: CustomersContext,
  caller: Caller,
  customerUuid: string,
  token: string,
): Promise<TokenView> {
  return once(ctx.db, caller, async (tx) => {
    const customer = await lockCustomer(tx, customerUuid)
    if (customer === null) throw errors.customer_not_found()
    const found = (await findTokens(tx, [token])).get(token)
    if (found?.customerUuid !== customerUuid || found.state === 'deleted')
      throw errors.payment_token_not_found()
    if (!isChargeable(found, tx.now)) throw errors.default_token_not_active()
    await setDefaultToken(tx, customerUuid, token, tx.now)
    await handleDefaultToken(ctx, tx, customer, token)
    return { token: { ...found, isDefault: true }, at: tx.now }
  })
}
