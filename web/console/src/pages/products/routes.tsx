import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '#app/routes.tsx'
import { readListSearch } from '#components/list/list-search.ts'

export const productRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/products',
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import('#pages/products/product-list-page.tsx'), 'ProductListPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/products/$id',
    component: lazyRouteComponent(() => import('#pages/products/product-page.tsx'), 'ProductPage'),
  }),
] as const
