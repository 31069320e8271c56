import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#app/lazy-page.ts'
import { shellRoute } from '#app/routes.tsx'
import { readListSearch } from '#components/list/list-search.ts'

export const eventRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/events',
    validateSearch: readListSearch,
    component: lazyPage(() => import('#pages/events/event-list-page.tsx'), 'EventListPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/events/$object/$id',
    component: lazyPage(() => import('#pages/events/event-page.tsx'), 'EventPage'),
  }),
] as const
