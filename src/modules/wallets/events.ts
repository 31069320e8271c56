import Type from 'typebox'
import { WalletTransactionSchema } from './api/schemas.ts'

const WalletTransactionData = Type.Object({ wallet_transaction: WalletTransactionSchema })

export const WALLET_EVENTS = {
  'wallet.transaction.pending': WalletTransactionData,
  'wallet.transaction.confirmed': WalletTransactionData,
  'wallet.transaction.reorged': WalletTransactionData,
} as const
export type WalletEvent = keyof typeof WALLET_EVENTS
