import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '#app/routes.tsx'
import { readListSearch } from '#components/list/list-search.ts'

export const transactionRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/transactions',
    validateSearch: readListSearch,
    component: lazyRouteComponent(
      () => import('#pages/transactions/transaction-list-page.tsx'),
      'TransactionListPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/transactions/$uuid',
    component: lazyRouteComponent(
      () => import('#pages/transactions/transaction-page.tsx'),
      'TransactionPage',
    ),
  }),
] as const
