import { minorDigits } from '#kernel/currencies'
import type { Currency } from '#kernel/currencies'
import { compareDecimals, decimal, decimalToString, formatUnscaled } from '#kernel/decimal'
import type { Decimal } from '#kernel/decimal'
import { newId } from '#kernel/ids'
import type { Tx } from '#platform/database'
import type { Chain } from './configuration.ts'
import { insertHold, lockHold, moveHold, walletExists } from './hold.repository.ts'
import type { Hold } from './hold.repository.ts'
import { ledgerAmount, transferEntries } from './ledger.ts'
import type { PostingReason, Side } from './ledger.ts'
import { lockAvailable, post } from './ledger.repository.ts'
import { assetsOf } from './wallet.ts'

/** An amount that a card moves: minor units of the card's currency. */
export interface FundingMove {
  readonly walletId: string
  readonly authorizationUuid: string
  readonly currency: Currency
  readonly amountMinor: bigint
}

/**
 * Cards funded from wallets: what the cards ask, each in the transaction of the card's change and with the card locked.
 * A wallet's currency funds a card's one for one, where the configuration pairs them (`card_currencies`; stablecoins in
 * dollars fund dollars). An authorization takes all of its money from one currency, the first that has enough.
 */
export class WalletFunding {
  /** By currency of the card: currencies of wallets, in the configuration's order. */
  readonly #sources = new Map<Currency, string[]>()

  constructor(chains: readonly Chain[]) {
    for (const asset of chains.flatMap(assetsOf)) {
      for (const currency of asset.cardCurrencies) {
        const sources = this.#sources.get(currency) ?? []
        if (!sources.includes(asset.symbol)) sources.push(asset.symbol)
        this.#sources.set(currency, sources)
      }
    }
  }

  /** Whether the wallet can fund cards of this currency, or does not exist. */
  async accepts(
    tx: Tx,
    walletId: string,
    currency: Currency,
  ): Promise<'accepted' | 'no_wallet' | 'currency_not_supported'> {
    if (!(await walletExists(tx, walletId))) return 'no_wallet'
    return this.#sources.has(currency) ? 'accepted' : 'currency_not_supported'
  }

  /** Sets an amount aside; false when no currency of the wallet has that much available. */
  async hold(tx: Tx, move: FundingMove): Promise<boolean> {
    const amount = amountOf(move)
    const sources = this.#sources.get(move.currency) ?? []
    const available = await lockAvailable(tx, move.walletId, sources)
    const currency = sources.find(
      (source) => compareDecimals(ledgerAmount(available.get(source) ?? '0'), amount) >= 0,
    )
    if (currency === undefined) return false
    const hold = { id: move.authorizationUuid, walletId: move.walletId, currency, held: amount }
    await insertHold(tx, hold)
    await postMove(tx, hold, 'hold', AVAILABLE, HELD, amount)
    return true
  }

  /** Gives back what was set aside. */
  async release(tx: Tx, move: FundingMove): Promise<void> {
    const { hold, amount, text } = await this.#find(tx, move)
    await moveHold(tx, hold.id, { held: `-${text}` })
    await postMove(tx, hold, 'release', HELD, AVAILABLE, amount)
  }

  /** Takes what was set aside. */
  async capture(tx: Tx, move: FundingMove): Promise<void> {
    const { hold, amount, text } = await this.#find(tx, move)
    await moveHold(tx, hold.id, { held: `-${text}`, captured: text })
    await postMove(tx, hold, 'capture', HELD, SPENT, amount)
  }

  /** Takes what was not set aside; the wallet may then owe. */
  async captureForced(tx: Tx, move: FundingMove): Promise<void> {
    const { hold, amount, text } = await this.#find(tx, move)
    await moveHold(tx, hold.id, { captured: text })
    await postMove(tx, hold, 'capture', AVAILABLE, SPENT, amount)
  }

  /** Puts back what was captured. */
  async refund(tx: Tx, move: FundingMove): Promise<void> {
    const { hold, amount, text } = await this.#find(tx, move)
    await moveHold(tx, hold.id, { refunded: text })
    await postMove(tx, hold, 'refund', SPENT, AVAILABLE, amount)
  }

  async #find(tx: Tx, move: FundingMove): Promise<{ hold: Hold; amount: Decimal; text: string }> {
    const hold = await lockHold(tx, move.authorizationUuid)
    if (hold === null || hold.walletId !== move.walletId) {
      throw new Error(`no wallet was asked to hold for ${move.authorizationUuid}`)
    }
    const amount = amountOf(move)
    return { hold, amount, text: decimalToString(amount) }
  }
}

type Place = (hold: Hold) => Side
const AVAILABLE: Place = (hold) => ({ owner: hold.walletId, kind: 'available' })
const HELD: Place = (hold) => ({ owner: hold.walletId, kind: 'held' })
/** What cards have taken from the wallet. An account of each wallet: one of all cards would be a row that all wait for. */
const SPENT: Place = (hold) => ({ owner: hold.walletId, kind: 'spent' })

async function postMove(
  tx: Tx,
  hold: Hold,
  reason: PostingReason,
  from: Place,
  to: Place,
  amount: Decimal,
): Promise<void> {
  const entries = transferEntries(hold.currency, from(hold), to(hold), amount)
  await post(tx, [{ id: newId('post'), objectId: hold.id, reason, entries }], tx.now)
}

function amountOf(move: FundingMove): Decimal {
  if (move.amountMinor <= 0n) throw new RangeError('a card moves a positive amount')
  return decimal(formatUnscaled(move.amountMinor, minorDigits(move.currency)))
}
