import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#app/lazy-page.ts'
import { shellRoute } from '#app/routes.tsx'
import { readListSearch } from '#components/list/list-search.ts'

export const dunningRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/dunning-policies',
    validateSearch: readListSearch,
    component: lazyPage(() => import('#pages/dunning/policy-list-page.tsx'), 'PolicyListPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/dunning-policies/$id',
    component: lazyPage(() => import('#pages/dunning/policy-page.tsx'), 'PolicyPage'),
  }),
] as const
