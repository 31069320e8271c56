import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#app/lazy-page.ts'
import { shellRoute } from '#app/routes.tsx'
import { readRangeSearch } from '#components/range/range.ts'

export const homeRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/',
    validateSearch: readRangeSearch,
    component: lazyPage(() => import('#pages/home/home-page.tsx'), 'HomePage'),
  }),
] as const
