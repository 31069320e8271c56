import type { Currency } from '#kernel/currencies'
import type { Tx } from '#platform/postgres/database'

/**
 * What a card that is funded from a wallet asks of the wallets. Every method runs in the transaction of the card's change
 * and with the card locked, so the books of both agree whatever crashes. All amounts are minor units of `currency`,
 * the card's.
 */
export interface FundingPort {
  /** Whether the wallet can fund cards of this currency, or does not exist. */
  accepts(tx: Tx, walletId: string, currency: Currency): Promise<FundingAcceptance>
  /** Locks wallets before the first of several holds or moves, so that two batches never wait for each other. */
  lock(tx: Tx, walletIds: readonly string[]): Promise<void>
  /** Sets an amount aside; false when the wallet has less than that available. */
  hold(tx: Tx, hold: FundingHold): Promise<boolean>
  /** Moves what one operation with the authorization moves, all at once. */
  move(tx: Tx, move: FundingMove): Promise<void>
}

type FundingAcceptance = 'accepted' | 'no_wallet' | 'currency_not_supported'

interface FundedAuthorization {
  readonly walletId: string
  readonly authorizationUuid: string
  readonly currency: Currency
}

interface FundingHold extends FundedAuthorization {
  /** Positive. */
  readonly amountMinor: bigint
}

/** None is below 0. */
interface FundingMove extends FundedAuthorization {
  /** Taken of what was set aside. */
  readonly capturedMinor: bigint
  /** Taken of what was not set aside: a capture above the hold or after its expiry. It cannot be refused. */
  readonly forcedMinor: bigint
  /** Given back of what was set aside: reversed, expired, declined by the hook, or left by a final capture. */
  readonly releasedMinor: bigint
  /** Put back of what was captured. */
  readonly refundedMinor: bigint
}
