import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#app/lazy-page.ts'
import { shellRoute } from '#app/routes.tsx'
import { readInvoicesSearch } from '#pages/invoices/invoice-search.ts'

export const invoiceRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/invoices',
    validateSearch: readInvoicesSearch,
    component: lazyPage(() => import('#pages/invoices/invoice-list-page.tsx'), 'InvoiceListPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/invoices/$id',
    component: lazyPage(() => import('#pages/invoices/invoice-page.tsx'), 'InvoicePage'),
  }),
] as const
