import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#app/lazy-page.ts'
import { shellRoute } from '#app/routes.tsx'
import { readListSearch } from '#components/list/list-search.ts'

export const couponRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/coupons',
    validateSearch: readListSearch,
    component: lazyPage(() => import('#pages/coupons/coupon-list-page.tsx'), 'CouponListPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/coupons/$id',
    component: lazyPage(() => import('#pages/coupons/coupon-page.tsx'), 'CouponPage'),
  }),
] as const
