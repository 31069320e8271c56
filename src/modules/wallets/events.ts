/** What is told of the transactions of wallets (decisions, section 8). */
export const WALLET_EVENTS = [
  'wallet.transaction.pending',
  'wallet.transaction.confirmed',
  'wallet.transaction.reorged',
] as const
export type WalletEvent = (typeof WALLET_EVENTS)[number]
