import type { Currency } from '#kernel/currencies'
import type { Tx } from '#platform/postgres/database'

/**
 * What wallets do for the cards that they fund. Every method runs in the transaction of the card's change, with the
 * card locked, so that a crash never leaves the two ledgers in disagreement. Amounts are minor units of the card's
 * currency.
 * - `lock`: Locks wallets before the first of several holds or moves, so that two batches never deadlock.
 * - `hold`: Resolves to false when less than the amount is available in the wallet.
 */
export interface FundingPort {
  accepts(tx: Tx, walletId: string, currency: Currency): Promise<FundingAcceptance>
  lock(tx: Tx, walletIds: readonly string[]): Promise<void>
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

/**
 * - `forcedMinor`: Captured beyond the hold or after its expiry. The wallet cannot refuse this amount.
 * - `releasedMinor`: Released from the hold: reversed, expired, declined by the hook, or left over by a final capture.
 */
interface FundingMove extends FundedAuthorization {
  readonly capturedMinor: bigint
  readonly forcedMinor: bigint
  readonly releasedMinor: bigint
  readonly refundedMinor: bigint
}
