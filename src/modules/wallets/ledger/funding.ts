import { type Currency, minorDigits } from '#kernel/currencies'
import { compareDecimals, decimal, formatUnscaled } from '#kernel/decimal'
import { newId } from '#kernel/ids'
import type { Tx } from '#platform/postgres/database'
import type { Chain } from '../configuration/configuration.ts'
import { type Hold, insertHold, lockHold, moveHold } from '../storage/hold.repository.ts'
import { ledgerAmount, type Posting } from './ledger.ts'
import { lockAllAvailable, lockAvailable, post } from '../storage/ledger.repository.ts'
import { assetsOf } from '../addresses/wallet.ts'
import { walletExists } from '../storage/wallet.repository.ts'

/** An authorization of a card that a wallet funds. Amounts are minor units of the card's currency. */
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
  readonly forcedMinor: bigint
  readonly releasedMinor: bigint
  readonly refundedMinor: bigint
}

/** `spent` is what cards have taken: an account of each wallet, since one of all wallets would be a row that all wait for. */
const HOLDING = { reason: 'hold', from: 'available', to: 'held' } as const
const MOVES = [
  { of: 'capturedMinor', reason: 'capture', from: 'held', to: 'spent' },
  // The wallet may then owe.
  { of: 'forcedMinor', reason: 'capture', from: 'available', to: 'spent' },
  { of: 'releasedMinor', reason: 'release', from: 'held', to: 'available' },
  { of: 'refundedMinor', reason: 'refund', from: 'spent', to: 'available' },
] as const

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

  /** Locks all that these wallets have available. A transaction that moves several wallets' money begins with it. */
  async lock(tx: Tx, walletIds: readonly string[]): Promise<void> {
    await lockAllAvailable(tx, walletIds)
  }

  /** Sets a positive amount aside; false when no currency of the wallet has that much available. */
  async hold(tx: Tx, { walletId, authorizationUuid, currency, amountMinor }: FundingHold): Promise<boolean> {
    const amount = decimal(amountText(amountMinor, currency))
    const sources = this.#sources.get(currency) ?? []
    const available = await lockAvailable(tx, walletId, sources)
    const source = sources.find(
      (symbol) => compareDecimals(ledgerAmount(available.get(symbol) ?? '0'), amount) >= 0,
    )
    if (source === undefined) return false
    const hold = { id: authorizationUuid, walletId, currency: source }
    await insertHold(tx, hold, amount)
    await post(tx, [posting(hold, HOLDING, amountMinor, currency)], tx.now)
    return true
  }

  /** All of it in one statement, which locks the wallet's accounts in their order. */
  async move(tx: Tx, move: FundingMove): Promise<void> {
    const moves = MOVES.filter(({ of }) => move[of] !== 0n)
    if (moves.length === 0) return
    const hold = await lockHold(tx, move.authorizationUuid)
    if (hold === null || hold.walletId !== move.walletId) {
      throw new Error(`no wallet was asked to hold for ${move.authorizationUuid}`)
    }
    const { currency, capturedMinor, forcedMinor, releasedMinor, refundedMinor } = move
    await moveHold(tx, hold.id, {
      held: amountText(-capturedMinor - releasedMinor, currency),
      captured: amountText(capturedMinor + forcedMinor, currency),
      refunded: amountText(refundedMinor, currency),
    })
    const postings = moves.map((one) => posting(hold, one, move[one.of], currency))
    await post(tx, postings, tx.now)
  }
}

type Path = Omit<(typeof MOVES)[number], 'of'> | typeof HOLDING

/** @param currency of the card, whose minor units these are */
function posting(hold: Hold, { reason, from, to }: Path, minor: bigint, currency: Currency): Posting {
  if (minor <= 0n) throw new RangeError('a card moves a positive amount')
  const amount = amountText(minor, currency)
  const of = { owner: hold.walletId, currency: hold.currency }
  return {
    id: newId('post'),
    objectId: hold.id,
    reason,
    entries: [
      { ...of, kind: from, amount: `-${amount}` },
      { ...of, kind: to, amount },
    ],
  }
}

function amountText(minor: bigint, currency: Currency): string {
  return formatUnscaled(minor, minorDigits(currency))
}
