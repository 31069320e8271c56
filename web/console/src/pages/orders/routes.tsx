import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#app/lazy-page.ts'
import { shellRoute } from '#app/routes.tsx'
import { readListSearch } from '#components/list/list-search.ts'

export const orderRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/orders',
    validateSearch: readListSearch,
    component: lazyPage(() => import('#pages/orders/order-list-page.tsx'), 'OrderListPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/orders/$number',
    component: lazyPage(() => import('#pages/orders/order-page.tsx'), 'OrderPage'),
  }),
] as const
