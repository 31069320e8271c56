import type { Currency } from '#kernel/currencies'
import type { Tx } from '#platform/database'

/**
 * What a card that is funded from a wallet asks of the wallets. Every method runs in the transaction of the card's change
 * and with the card locked, so the books of both agree whatever crashes. All amounts are minor units of `currency`,
 * the card's, and positive.
 */
export interface FundingPort {
  /** Whether the wallet can fund cards of this currency, or does not exist. */
  accepts(tx: Tx, walletId: string, currency: Currency): Promise<FundingAcceptance>
  /** Sets an amount aside; false when the wallet has less than that available. */
  hold(tx: Tx, move: FundingMove): Promise<boolean>
  /** Gives back what was set aside: reversed, expired, declined by the hook, or left by a final capture. */
  release(tx: Tx, move: FundingMove): Promise<void>
  /** Takes what was set aside. */
  capture(tx: Tx, move: FundingMove): Promise<void>
  /** Takes what was not set aside: a capture above the hold or after its expiry. It cannot be refused. */
  captureForced(tx: Tx, move: FundingMove): Promise<void>
  /** Puts back what was captured. */
  refund(tx: Tx, move: FundingMove): Promise<void>
}

type FundingAcceptance = 'accepted' | 'no_wallet' | 'currency_not_supported'

export interface FundingMove {
  readonly walletId: string
  readonly authorizationUuid: string
  readonly currency: Currency
  readonly amountMinor: bigint
}
