import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '#app/routes.tsx'
import { readListSearch } from '#components/list/list-search.ts'

export const webhookRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/deliveries',
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import('#pages/webhooks/delivery-list-page.tsx'), 'DeliveryListPage'),
  }),
] as const
