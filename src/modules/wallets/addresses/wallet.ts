import type { Instant } from '#kernel/clock'
import type { Chain } from '../configuration/configuration.ts'
import type { Balance } from '../ledger/ledger.ts'

export interface Wallet {
  readonly id: string
  readonly userId: string
  /** Counts the tenant's wallets and is the last index of the address's derivation path. */
  readonly number: number
  readonly address: string | null
  readonly createdAt: Instant
}

/** A wallet with its balances. Its address is the same on each of the `chains`. */
export interface WalletView {
  readonly wallet: Wallet
  readonly balances: readonly Balance[]
  readonly chains: readonly Chain[]
}
