import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#app/lazy-page.ts'
import { shellRoute } from '#app/routes.tsx'
import { readListSearch } from '#components/list/list-search.ts'

export const webhookRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/deliveries',
    validateSearch: readListSearch,
    component: lazyPage(() => import('#pages/webhooks/delivery-list-page.tsx'), 'DeliveryListPage'),
  }),
] as const
