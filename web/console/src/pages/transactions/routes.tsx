import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#app/lazy-page.ts'
import { shellRoute } from '#app/routes.tsx'
import { readListSearch } from '#components/list/list-search.ts'

export const transactionRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/transactions',
    validateSearch: readListSearch,
    component: lazyPage(() => import('#pages/transactions/transaction-list-page.tsx'), 'TransactionListPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/transactions/$uuid',
    component: lazyPage(() => import('#pages/transactions/transaction-page.tsx'), 'TransactionPage'),
  }),
] as const
