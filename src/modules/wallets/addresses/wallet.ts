import { type Instant, toRfc3339 } from '#kernel/clock'
import { decimalToString } from '#kernel/decimal'
import type { Asset, Chain } from '../configuration/configuration.ts'
import { type Balance, ledgerAmount } from '../ledger/ledger.ts'

/** A wallet of a business's user, over all chains. */
export interface Wallet {
  readonly id: string
  readonly userId: string
  /** Counts the tenant's wallets: the last step of the path that the address is derived by. */
  readonly number: number
  /** EIP-55 form; null when the wallet was made before an extended public key was configured. */
  readonly address: string | null
  readonly createdAt: Instant
}

/** `digital_wallet` as answers show it (decisions, section 11). `amount` is what the user owns; `held_amount` of it is set aside for cards. */
export function renderWallet(
  wallet: Wallet,
  balances: readonly Balance[],
  chains: readonly Chain[],
): { readonly id: string; readonly [member: string]: unknown } {
  const { address } = wallet
  return {
    id: wallet.id,
    p_user_id: wallet.userId,
    addresses: address === null ? [] : chains.map((chain) => ({ blockchain: chain.name, address })),
    balances: balances.map((balance) => renderBalance(balance, digitsOf(balance.currency, chains))),
    p_created_at: toRfc3339(wallet.createdAt),
  }
}

function renderBalance(balance: Balance, digits: number): object {
  const shown = (amount: string): string => decimalToString(ledgerAmount(amount), digits)
  return {
    currency: balance.currency,
    amount: shown(balance.total),
    available_amount: shown(balance.available),
    held_amount: shown(balance.held),
  }
}

/** The most digits that the currency has on any chain, at least two. */
function digitsOf(currency: string, chains: readonly Chain[]): number {
  let digits = 2
  for (const chain of chains) {
    for (const asset of assetsOf(chain)) {
      if (asset.symbol === currency && asset.decimals > digits) digits = asset.decimals
    }
  }
  return digits
}

export function assetsOf(chain: Chain): readonly Asset[] {
  return chain.native === undefined ? chain.tokens : [chain.native, ...chain.tokens]
}
