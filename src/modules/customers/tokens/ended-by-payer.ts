import type { Instant } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import type { CustomersContext } from '../context.ts'
import { lockCustomer, setDefaultToken } from '../storage/customer.repository.ts'
import { findTokens, lockToken, markTokenDeleted } from '../storage/payment-token.repository.ts'

/** Deletes the token of an agreement that has ended at the wallet or the acquirer. Only an active one changes. */
export async function recordEndByPayer(
  ctx: CustomersContext,
  tx: Tx,
  { token, customerUuid }: { readonly token: string; readonly customerUuid: string },
  at: Instant,
): Promise<void> {
  await lockCustomer(tx, customerUuid)
  const found = await lockToken(tx, token)
  if (found?.state !== 'active') return
  if (found.isDefault) await setDefaultToken(tx, customerUuid, null, at)
  await markTokenDeleted(tx, token, at)
  const deleted = (await findTokens(tx, [token])).get(token) ?? found
  const data = ctx.present.tokenEvent({ token: deleted, at })
  await ctx.events.append(tx, [{ type: 'payment_token.deleted', objectId: token, timestamp: at, data }])
}
