import type { Tx } from '#platform/database'
import type { Authorization } from './authorization.ts'
import type { Card } from './card.ts'
import type { FundingMove } from './funding.ts'
import type { CardsNeeds } from './needs.ts'

/** Tells the wallet that funds a card what an operation did with an authorization's hold and captures. */
export async function moveFunds(
  needs: CardsNeeds,
  tx: Tx,
  card: Card,
  before: Authorization,
  after: Authorization,
): Promise<void> {
  const { funding } = needs
  if (card.fundingWalletId === null || funding === undefined) return
  const captured = after.capturedMinor - before.capturedMinor
  const forced = after.forcedMinor - before.forcedMinor
  const covered = captured - forced
  const released = before.heldMinor - after.heldMinor - covered
  const refunded = after.refundedMinor - before.refundedMinor
  if (covered > 0n) await funding.capture(tx, fundingMove(card, after, covered))
  if (forced > 0n) await funding.captureForced(tx, fundingMove(card, after, forced))
  if (released > 0n) await funding.release(tx, fundingMove(card, after, released))
  if (refunded > 0n) await funding.refund(tx, fundingMove(card, after, refunded))
}

export function fundingMove(card: Card, authorization: Authorization, amountMinor: bigint): FundingMove {
  return {
    walletId: card.fundingWalletId ?? '',
    authorizationUuid: authorization.uuid,
    currency: card.currency,
    amountMinor,
  }
}
