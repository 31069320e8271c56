import type { Instant } from '#kernel/clock'

export interface Wallet {
  readonly id: string
  readonly userId: string
  /** Counts the tenant's wallets and is the last index of the address's derivation path. */
  readonly number: number
  readonly address: string | null
  readonly createdAt: Instant
}
