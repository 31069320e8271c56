import { defineModule } from '#platform/module'
import { renderTransactionData } from './api/render.ts'
import { walletRoutes } from './api/routes.ts'
import { verifyWallets } from './audit/verify.ts'
import { Watcher } from './chain/watcher.ts'
import type { WalletsContext } from './context.ts'
import type { WalletsDependencies } from './dependencies.ts'
import { errors } from './errors.ts'
import { WalletFunding } from './ledger/funding.ts'
import { END_CHAIN_LEASES } from './storage/chain-lease.repository.ts'
import { WALLETS_PERSONAL_DATA } from './storage/personal-data.ts'
import { searchWallets } from './storage/search.repository.ts'

export { WALLET_EVENTS } from './api/events.ts'

export const walletsModule = defineModule({
  name: 'wallets',
  errors: errors.catalogue,
  verify: verifyWallets,
  personalData: WALLETS_PERSONAL_DATA,
  endLeases: END_CHAIN_LEASES,
  connect: (deps: WalletsDependencies) => {
    const ctx = contextOf(deps)
    return {
      routes: walletRoutes(ctx),
      search: { scope: 'wallets:read', search: searchWallets },
      workers: [new Watcher(ctx)],
      funding: new WalletFunding(deps.configuration.chains),
    }
  },
})

export function contextOf(deps: WalletsDependencies): WalletsContext {
  return { ...deps, present: { transaction: renderTransactionData } }
}
