import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '#app/routes.tsx'
import { readListSearch } from '#components/list/list-search.ts'

export const requestRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/requests',
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import('#pages/requests/request-list-page.tsx'), 'RequestListPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/requests/$id',
    component: lazyRouteComponent(() => import('#pages/requests/request-page.tsx'), 'RequestPage'),
  }),
] as const
