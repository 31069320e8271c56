export { readWalletConfiguration } from './configuration/read-configuration.ts'
export type { WalletConfiguration } from './configuration/configuration.ts'
export { skipWalletNumbers } from './storage/wallet.repository.ts'
export { WALLET_EVENTS, walletsModule } from './module.ts'
