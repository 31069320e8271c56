import type { Instant } from '#kernel/clock'

export interface Wallet {
  readonly id: string
  readonly userId: string
  /** Counts the tenant's wallets and is the last index of the address's derivation path. */
  readonly number: number
  /** EIP-55 form; null while no extended public key has been configured. */
  readonly address: string | null
  readonly createdAt: Instant
}
