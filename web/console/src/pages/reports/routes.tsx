import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#app/lazy-page.ts'
import { shellRoute } from '#app/routes.tsx'
import { readRangeSearch } from '#components/range/range.ts'

export const reportRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/reports',
    validateSearch: readRangeSearch,
    component: lazyPage(() => import('#pages/reports/reports-page.tsx'), 'ReportsPage'),
  }),
] as const
