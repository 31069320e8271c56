import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '#app/routes.tsx'
import { readRangeSearch } from '#components/range/range.ts'

export const homeRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/',
    validateSearch: readRangeSearch,
    component: lazyRouteComponent(() => import('#pages/home/home-page.tsx'), 'HomePage'),
  }),
] as const
