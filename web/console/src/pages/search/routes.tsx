import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#app/lazy-page.ts'
import { shellRoute } from '#app/routes.tsx'

export const searchRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/search',
    validateSearch: (search: Record<string, unknown>): { query?: string } =>
      // The router reads digits as a number.
      typeof search['query'] === 'string' || typeof search['query'] === 'number'
        ? { query: String(search['query']) }
        : {},
    component: lazyPage(() => import('#pages/search/search-page.tsx'), 'SearchPage'),
  }),
] as const
