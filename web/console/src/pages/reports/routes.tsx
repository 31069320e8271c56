import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#app/lazy-page.ts'
import { shellRoute } from '#app/routes.tsx'
import { readRangeSearch } from '#components/range/range.ts'
import { readInvoiceReportSearch, readInvoiceRowSearch } from '#pages/reports/invoice-report-search.ts'

export const reportRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/reports',
    validateSearch: readRangeSearch,
    component: lazyPage(() => import('#pages/reports/reports-page.tsx'), 'ReportsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/reports/invoices',
    validateSearch: readInvoiceReportSearch,
    component: lazyPage(() => import('#pages/reports/invoice-reports-page.tsx'), 'InvoiceReportsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/reports/invoice-rows',
    validateSearch: readInvoiceRowSearch,
    component: lazyPage(() => import('#pages/reports/invoice-rows-page.tsx'), 'InvoiceRowsPage'),
  }),
] as const
