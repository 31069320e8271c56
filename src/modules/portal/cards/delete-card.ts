import type { TokenView } from '#modules/customers'
import type { PortalContext, Visitor } from '../context.ts'
import { errors } from '../errors.ts'
import { mayRemoveLast } from '../model/allow.ts'

/** A plan that bills keeps what it is charged to, unless the business allows its removal. */
export function deleteCard(
  ctx: PortalContext,
  { caller, customerUuid, allow }: Visitor,
  token: string,
): Promise<TokenView> {
  return ctx.customers.deleteToken(caller, customerUuid, token, async (tx, found) => {
    if (!found.isDefault || mayRemoveLast(allow)) return
    const billed = await ctx.billing.findBilledCustomers(tx, [customerUuid])
    if (billed.length > 0) throw errors.token_in_use()
  })
}
