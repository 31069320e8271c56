import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#app/lazy-page.ts'
import { shellRoute } from '#app/routes.tsx'
import { readListSearch } from '#components/list/list-search.ts'

export const disputeRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/disputes',
    validateSearch: readListSearch,
    component: lazyPage(() => import('#pages/disputes/dispute-list-page.tsx'), 'DisputeListPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/disputes/$id',
    component: lazyPage(() => import('#pages/disputes/dispute-page.tsx'), 'DisputePage'),
  }),
] as const
