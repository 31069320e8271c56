import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#app/lazy-page.ts'
import { shellRoute } from '#app/routes.tsx'
import { readListSearch } from '#components/list/list-search.ts'

export const requestRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/requests',
    validateSearch: readListSearch,
    component: lazyPage(() => import('#pages/requests/request-list-page.tsx'), 'RequestListPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/requests/$id',
    component: lazyPage(() => import('#pages/requests/request-page.tsx'), 'RequestPage'),
  }),
] as const
