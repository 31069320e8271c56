import type { WalletEvent } from '../model/transaction.states.ts'
import { WalletTransactionData } from './schemas.ts'

export const WALLET_EVENTS = {
  'wallet.transaction.pending': WalletTransactionData,
  'wallet.transaction.confirmed': WalletTransactionData,
  'wallet.transaction.reorged': WalletTransactionData,
} as const satisfies Record<WalletEvent, object>
