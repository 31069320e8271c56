import Type from 'typebox'
import { WalletTransactionSchema } from './api/schemas.ts'

const WalletTransactionData = Type.Object({ wallet_transaction: WalletTransactionSchema })

/** What is told of the transactions of wallets (decisions, section 8), with the shape of `data`. */
export const WALLET_EVENTS = {
  'wallet.transaction.pending': WalletTransactionData,
  'wallet.transaction.confirmed': WalletTransactionData,
  'wallet.transaction.reorged': WalletTransactionData,
} as const
export type WalletEvent = keyof typeof WALLET_EVENTS
