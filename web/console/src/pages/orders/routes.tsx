import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '#app/routes.tsx'
import { readListSearch } from '#components/list/list-search.ts'

export const orderRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/orders',
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import('#pages/orders/order-list-page.tsx'), 'OrderListPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/orders/$number',
    component: lazyRouteComponent(() => import('#pages/orders/order-page.tsx'), 'OrderPage'),
  }),
] as const
