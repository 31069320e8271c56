import { type Currency, minorDigits } from '#kernel/currencies'
import { compareDecimals, decimal, formatUnscaled } from '#kernel/decimal'
import { newId } from '#kernel/ids'
import type { Tx } from '#platform/postgres/database'
import { assetsOf, type Chain } from '../model/chain.ts'
import { type Hold, insertHold, lockHold, moveHold } from '../storage/hold.repository.ts'
import { ledgerAmount, type Posting } from '../model/ledger.ts'
import { lockAvailableOfWallets, lockAvailable, post } from '../storage/ledger.repository.ts'
import { walletExists } from '../storage/wallet.repository.ts'

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

/** Each wallet has its own `spent` account, because a shared one would be a row that every capture waits for. */
const HOLD_PATH = { reason: 'hold', from: 'available', to: 'held' } as const
const MOVE_PATHS = [
  { member: 'capturedMinor', reason: 'capture', from: 'held', to: 'spent' },
  // A forced capture may make the available balance negative.
  { member: 'forcedMinor', reason: 'capture', from: 'available', to: 'spent' },
  { member: 'releasedMinor', reason: 'release', from: 'held', to: 'available' },
  { member: 'refundedMinor', reason: 'refund', from: 'spent', to: 'available' },
] as const

/**
 * Implements the funding port of the cards module. Every method runs in the transaction of the card's change, with the
 * card locked. `card_currencies` pairs wallet and card currencies one for one. An authorization takes all its money from
 * the first paired currency that has enough.
 */
export class WalletFunding {
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

  async accepts(
    tx: Tx,
    walletId: string,
    currency: Currency,
  ): Promise<'accepted' | 'no_wallet' | 'currency_not_supported'> {
    if (!(await walletExists(tx, walletId))) return 'no_wallet'
    return this.#sources.has(currency) ? 'accepted' : 'currency_not_supported'
  }

  async lock(tx: Tx, walletIds: readonly string[]): Promise<void> {
    await lockAvailableOfWallets(tx, walletIds)
  }

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
    await post(tx, [posting(hold, HOLD_PATH, amountMinor, currency)], tx.now)
    return true
  }

  /** Posts all movements in one statement, which locks the wallet's accounts in the order of their keys. */
  async move(tx: Tx, move: FundingMove): Promise<void> {
    const paths = MOVE_PATHS.filter(({ member }) => move[member] !== 0n)
    if (paths.length === 0) return
    const hold = await lockHold(tx, move.authorizationUuid)
    if (hold === null || hold.walletId !== move.walletId) {
      throw new Error(`wallet ${move.walletId} has no hold for the authorization ${move.authorizationUuid}`)
    }
    const { currency, capturedMinor, forcedMinor, releasedMinor, refundedMinor } = move
    await moveHold(tx, hold.id, {
      held: amountText(-capturedMinor - releasedMinor, currency),
      captured: amountText(capturedMinor + forcedMinor, currency),
      refunded: amountText(refundedMinor, currency),
    })
    const postings = paths.map((path) => posting(hold, path, move[path.member], currency))
    await post(tx, postings, tx.now)
  }
}

type Path = Omit<(typeof MOVE_PATHS)[number], 'member'> | typeof HOLD_PATH

function posting(hold: Hold, { reason, from, to }: Path, amountMinor: bigint, currency: Currency): Posting {
  if (amountMinor <= 0n) throw new RangeError('a posting needs a positive amount')
  const amount = amountText(amountMinor, currency)
  const account = { owner: hold.walletId, currency: hold.currency }
  return {
    id: newId('post'),
    objectId: hold.id,
    reason,
    entries: [
      { ...account, kind: from, amount: `-${amount}` },
      { ...account, kind: to, amount },
    ],
  }
}

function amountText(minor: bigint, currency: Currency): string {
  return formatUnscaled(minor, minorDigits(currency))
}
