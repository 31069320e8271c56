import type { Instant } from '#kernel/clock'
import type { Chain } from './chain.ts'
import type { Balance } from './ledger.ts'

export interface Wallet {
  readonly id: string
  readonly userId: string
  /** Counts the tenant's wallets and is the last index of the address's derivation path. */
  readonly number: number
  readonly address: string | null
  readonly createdAt: Instant
}

export interface WalletView {
  readonly wallet: Wallet
  readonly balances: readonly Balance[]
  readonly chains: readonly Chain[]
}
