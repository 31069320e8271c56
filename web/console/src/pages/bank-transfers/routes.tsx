import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#app/lazy-page.ts'
import { shellRoute } from '#app/routes.tsx'
import { readListSearch } from '#components/list/list-search.ts'

export const bankTransferRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/bank-entries',
    validateSearch: readListSearch,
    component: lazyPage(() => import('#pages/bank-transfers/entry-list-page.tsx'), 'EntryListPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/bank-entries/$id',
    component: lazyPage(() => import('#pages/bank-transfers/entry-page.tsx'), 'EntryPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/bank-statements',
    validateSearch: readListSearch,
    component: lazyPage(() => import('#pages/bank-transfers/statement-list-page.tsx'), 'StatementListPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/bank-statements/$id',
    component: lazyPage(() => import('#pages/bank-transfers/statement-page.tsx'), 'StatementPage'),
  }),
] as const
