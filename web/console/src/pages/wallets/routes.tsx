import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '#app/routes.tsx'
import { readListSearch } from '#components/list/list-search.ts'

export const walletRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/wallets',
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import('#pages/wallets/wallet-list-page.tsx'), 'WalletListPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/wallets/$id',
    component: lazyRouteComponent(() => import('#pages/wallets/wallet-page.tsx'), 'WalletPage'),
  }),
] as const
