import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#app/lazy-page.ts'
import { shellRoute } from '#app/routes.tsx'
import { readListSearch } from '#components/list/list-search.ts'

export const customerRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/customers',
    validateSearch: readListSearch,
    component: lazyPage(() => import('#pages/customers/customer-list-page.tsx'), 'CustomerListPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/customers/$uuid',
    component: lazyPage(() => import('#pages/customers/customer-page.tsx'), 'CustomerPage'),
  }),
] as const
