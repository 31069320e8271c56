import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#app/lazy-page.ts'
import { shellRoute } from '#app/routes.tsx'
import { readListSearch } from '#components/list/list-search.ts'

export const walletRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/wallets',
    validateSearch: readListSearch,
    component: lazyPage(() => import('#pages/wallets/wallet-list-page.tsx'), 'WalletListPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/wallets/$id',
    component: lazyPage(() => import('#pages/wallets/wallet-page.tsx'), 'WalletPage'),
  }),
] as const
