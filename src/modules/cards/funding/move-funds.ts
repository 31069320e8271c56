import type { Tx } from '#platform/postgres/database'
import type { Authorization } from '../authorizations/authorization.ts'
import type { Card } from '../cards/card.ts'
import type { LockedCard } from '../cards/lock-card.ts'
import type { CardsDependencies } from '../dependencies.ts'

type FundingDependencies = Pick<CardsDependencies, 'funding'>

export async function lockFunds(
  deps: FundingDependencies,
  tx: Tx,
  cards: Iterable<LockedCard>,
): Promise<void> {
  const walletIds = new Set(Array.from(cards, ({ card }) => card.fundingWalletId).filter((id) => id !== null))
  if (walletIds.size > 0) await deps.funding?.lock(tx, [...walletIds])
}

export async function moveFunds(
  deps: FundingDependencies,
  tx: Tx,
  card: Card,
  before: Authorization,
  after: Authorization,
): Promise<void> {
  if (card.fundingWalletId === null) return
  const forcedMinor = after.forcedMinor - before.forcedMinor
  const capturedMinor = after.capturedMinor - before.capturedMinor - forcedMinor
  await deps.funding?.move(tx, {
    walletId: card.fundingWalletId,
    authorizationUuid: after.uuid,
    currency: card.currency,
    capturedMinor,
    forcedMinor,
    releasedMinor: before.heldMinor - after.heldMinor - capturedMinor,
    refundedMinor: after.refundedMinor - before.refundedMinor,
  })
}
