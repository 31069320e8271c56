import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '#app/routes.tsx'
import { readListSearch } from '#components/list/list-search.ts'

export const customerRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/customers',
    validateSearch: readListSearch,
    component: lazyRouteComponent(
      () => import('#pages/customers/customer-list-page.tsx'),
      'CustomerListPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/customers/$uuid',
    component: lazyRouteComponent(() => import('#pages/customers/customer-page.tsx'), 'CustomerPage'),
  }),
] as const
