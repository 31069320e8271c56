import type { Instant } from '#kernel/clock'
import { localDateOf } from '#kernel/time-zone'
import type { PaymentToken } from '#modules/customers'
import type { Tx } from '#platform/postgres/database'
import type { MessagesContext } from '../context.ts'
import { createMessages } from './create-messages.ts'

/** A card is announced twice, on different days. */
export async function handleExpiringCards(
  ctx: MessagesContext,
  tx: Tx,
  cards: readonly { readonly token: PaymentToken; readonly at: Instant }[],
): Promise<void> {
  const { timeZone } = await ctx.businesses.profile(tx.businessId)
  await createMessages(
    ctx,
    tx,
    cards.map(({ token: { token, customerUuid }, at }) => ({
      kind: 'card_expiring',
      objectId: token,
      cause: localDateOf(at, timeZone).toString(),
      customerUuid,
      facts: { token },
      at,
    })),
  )
}
