import { WalletTransactionData } from './api/schemas.ts'

export const WALLET_EVENTS = {
  'wallet.transaction.pending': WalletTransactionData,
  'wallet.transaction.confirmed': WalletTransactionData,
  'wallet.transaction.reorged': WalletTransactionData,
} as const
export type WalletEvent = keyof typeof WALLET_EVENTS
