import type { StateTable } from '#kernel/state-table'

export const WALLET_TRANSACTION_STATES = ['pending', 'confirmed', 'reorged'] as const
export type WalletTransactionState = (typeof WALLET_TRANSACTION_STATES)[number]
export type WalletEvent = `wallet.transaction.${WalletTransactionState}`

/** `new` is a transfer without a transaction. A reorged block can become canonical again, and its deposits with it. */
export const TRANSITIONS = {
  new: { include: 'pending', confirm: 'confirmed' },
  pending: { confirm: 'confirmed', reorg: 'reorged' },
  confirmed: { reorg: 'reorged' },
  reorged: { include: 'pending', confirm: 'confirmed' },
} as const satisfies StateTable<ChainEvent, WalletTransactionState | 'new', WalletTransactionState>

export type ChainEvent = 'include' | 'confirm' | 'reorg'
