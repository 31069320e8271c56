import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '#app/routes.tsx'
import { readListSearch } from '#components/list/list-search.ts'

export const invoiceRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/invoices',
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import('#pages/invoices/invoice-list-page.tsx'), 'InvoiceListPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/invoices/$id',
    component: lazyRouteComponent(() => import('#pages/invoices/invoice-page.tsx'), 'InvoicePage'),
  }),
] as const
