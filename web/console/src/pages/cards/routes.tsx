import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#app/lazy-page.ts'
import { shellRoute } from '#app/routes.tsx'
import { readListSearch } from '#components/list/list-search.ts'

export const cardRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/cards',
    validateSearch: readListSearch,
    component: lazyPage(() => import('#pages/cards/card-list-page.tsx'), 'CardListPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/cards/$id',
    component: lazyPage(() => import('#pages/cards/card-page.tsx'), 'CardPage'),
  }),
] as const
