import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#app/lazy-page.ts'
import { shellRoute } from '#app/routes.tsx'
import { readListSearch } from '#components/list/list-search.ts'

export const productRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/products',
    validateSearch: readListSearch,
    component: lazyPage(() => import('#pages/products/product-list-page.tsx'), 'ProductListPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/products/$id',
    component: lazyPage(() => import('#pages/products/product-page.tsx'), 'ProductPage'),
  }),
] as const
