import type { Tx } from '#platform/postgres/database'
import type { Authorization } from '../model/authorization.ts'
import type { Card } from '../model/card.ts'
import type { LockedCard } from '../cards/lock-card.ts'
import type { CardsContext } from '../context.ts'

type FundingDependencies = Pick<CardsContext, 'funding'>

export async function lockFunds(
  ctx: FundingDependencies,
  tx: Tx,
  cards: Iterable<LockedCard>,
): Promise<void> {
  const walletIds = new Set(Array.from(cards, ({ card }) => card.fundingWalletId).filter((id) => id !== null))
  if (walletIds.size > 0) await ctx.funding?.lock(tx, [...walletIds])
}

export async function moveFunds(
  ctx: FundingDependencies,
  tx: Tx,
  card: Card,
  before: Authorization,
  after: Authorization,
): Promise<void> {
  if (card.fundingWalletId === null) return
  const forcedMinor = after.forcedMinor - before.forcedMinor
  const capturedMinor = after.capturedMinor - before.capturedMinor - forcedMinor
  await ctx.funding?.move(tx, {
    walletId: card.fundingWalletId,
    authorizationUuid: after.uuid,
    currency: card.currency,
    capturedMinor,
    forcedMinor,
    releasedMinor: before.heldMinor - after.heldMinor - capturedMinor,
    refundedMinor: after.refundedMinor - before.refundedMinor,
  })
}
