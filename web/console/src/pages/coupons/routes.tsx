import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '#app/routes.tsx'
import { readListSearch } from '#components/list/list-search.ts'

export const couponRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/coupons',
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import('#pages/coupons/coupon-list-page.tsx'), 'CouponListPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/coupons/$id',
    component: lazyRouteComponent(() => import('#pages/coupons/coupon-page.tsx'), 'CouponPage'),
  }),
] as const
