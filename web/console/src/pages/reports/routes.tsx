import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '#app/routes.tsx'
import { readRangeSearch } from '#components/range/range.ts'

export const reportRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/reports',
    validateSearch: readRangeSearch,
    component: lazyRouteComponent(() => import('#pages/reports/reports-page.tsx'), 'ReportsPage'),
  }),
] as const
