import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#app/lazy-page.ts'
import { shellRoute } from '#app/routes.tsx'
import { readListSearch } from '#components/list/list-search.ts'

export const planRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/plans',
    validateSearch: readListSearch,
    component: lazyPage(() => import('#pages/plans/plan-list-page.tsx'), 'PlanListPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/plans/new',
    validateSearch: ({ customer }: Record<string, unknown>): { customer?: string } =>
      typeof customer === 'string' ? { customer } : {},
    component: lazyPage(() => import('#pages/plans/new-plan-page.tsx'), 'NewPlanPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/plans/$id',
    component: lazyPage(() => import('#pages/plans/plan-page.tsx'), 'PlanPage'),
  }),
] as const
