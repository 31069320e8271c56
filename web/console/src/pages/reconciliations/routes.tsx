import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#app/lazy-page.ts'
import { shellRoute } from '#app/routes.tsx'
import { readListSearch } from '#components/list/list-search.ts'

export const reconciliationRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/reconciliations',
    validateSearch: readListSearch,
    component: lazyPage(
      () => import('#pages/reconciliations/reconciliation-list-page.tsx'),
      'ReconciliationListPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/reconciliations/$id',
    validateSearch: readListSearch,
    component: lazyPage(() => import('#pages/reconciliations/reconciliation-page.tsx'), 'ReconciliationPage'),
  }),
] as const
