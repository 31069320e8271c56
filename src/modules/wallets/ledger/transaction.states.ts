import type { StateTable } from '#kernel/state-table'

/** The states of a wallet transaction (decisions, section 7). */
export const WALLET_TRANSACTION_STATES = ['pending', 'confirmed', 'reorged'] as const
export type WalletTransactionState = (typeof WALLET_TRANSACTION_STATES)[number]

/**
 * What moves a transaction from state to state. `new` is before it is told. A deposit seen deep enough at first is
 * confirmed at once. A block that was reorganised away can come back: its deposits begin again.
 */
export const TRANSITIONS = {
  new: { see: 'pending', bury: 'confirmed' },
  pending: { bury: 'confirmed', reorganise: 'reorged' },
  confirmed: { reorganise: 'reorged' },
  reorged: { see: 'pending', bury: 'confirmed' },
} as const satisfies StateTable<ChainView, WalletTransactionState | 'new', WalletTransactionState>

/** What the chain says of a transfer: its block stands, is buried under enough blocks, or was reorganised away. */
export type ChainView = 'see' | 'bury' | 'reorganise'
