import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '#app/routes.tsx'
import { readListSearch } from '#components/list/list-search.ts'

export const disputeRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/disputes',
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import('#pages/disputes/dispute-list-page.tsx'), 'DisputeListPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/disputes/$id',
    component: lazyRouteComponent(() => import('#pages/disputes/dispute-page.tsx'), 'DisputePage'),
  }),
] as const
