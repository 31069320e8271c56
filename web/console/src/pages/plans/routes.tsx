import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '#app/routes.tsx'
import { readListSearch } from '#components/list/list-search.ts'

export const planRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/plans',
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import('#pages/plans/plan-list-page.tsx'), 'PlanListPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/plans/new',
    validateSearch: ({ customer }: Record<string, unknown>): { customer?: string } =>
      typeof customer === 'string' ? { customer } : {},
    component: lazyRouteComponent(() => import('#pages/plans/new-plan-page.tsx'), 'NewPlanPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/plans/$id',
    component: lazyRouteComponent(() => import('#pages/plans/plan-page.tsx'), 'PlanPage'),
  }),
] as const
