import type { Currency } from '#kernel/currencies'
import type { Tx } from '#platform/postgres/database'

/**
 * What wallets do for the cards that they fund. Every method runs in the transaction of the card's change, with the card
 * locked, so that a crash never leaves the two ledgers in disagreement. Amounts are minor units of the card's currency.
 */
export interface FundingPort {
  accepts(tx: Tx, walletId: string, currency: Currency): Promise<FundingAcceptance>
  /** Locks wallets before the first of several holds or moves, so that two batches never deadlock. */
  lock(tx: Tx, walletIds: readonly string[]): Promise<void>
  /** Resolves to false when the wallet has less than the amount available. */
  hold(tx: Tx, hold: FundingHold): Promise<boolean>
  move(tx: Tx, move: FundingMove): Promise<void>
}

type FundingAcceptance = 'accepted' | 'no_wallet' | 'currency_not_supported'

interface FundedAuthorization {
  readonly walletId: string
  readonly authorizationUuid: string
  readonly currency: Currency
}

interface FundingHold extends FundedAuthorization {
  readonly amountMinor: bigint
}

interface FundingMove extends FundedAuthorization {
  readonly capturedMinor: bigint
  /** Captured beyond the hold or after its expiry. The wallet cannot refuse this amount. */
  readonly forcedMinor: bigint
  /** Released from the hold: reversed, expired, declined by the hook, or left over by a final capture. */
  readonly releasedMinor: bigint
  readonly refundedMinor: bigint
}
