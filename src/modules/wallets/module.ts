import { defineModule } from '#platform/module'
import { errors } from './api/errors.ts'
import { walletRoutes } from './api/routes.ts'
import { verifyWallets } from './audit/verify.ts'
import type { WalletsDependencies } from './dependencies.ts'
import { END_CHAIN_LEASES } from './storage/chain-lease.repository.ts'
import { WALLETS_PERSONAL_DATA } from './storage/personal-data.ts'
import { Wallets } from './wallets.ts'

export const walletsModule = defineModule({
  name: 'wallets',
  errors: errors.catalogue,
  verify: verifyWallets,
  personalData: WALLETS_PERSONAL_DATA,
  endLeases: END_CHAIN_LEASES,
  connect: (deps: WalletsDependencies) => {
    const wallets = new Wallets(deps)
    return {
      wallets,
      routes: walletRoutes(wallets),
      search: { scope: 'wallets:read', search: (tx, search) => wallets.search(tx, search) },
      workers: [wallets.watcher],
    }
  },
})
