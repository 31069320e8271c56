import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#app/lazy-page.ts'
import { shellRoute } from '#app/routes.tsx'
import { type ListSearch, readListSearch } from '#components/list/list-search.ts'

interface InvoicesSearch extends ListSearch {
  /** In which a new invoice opens. */
  readonly currency?: string
}

function readInvoicesSearch(search: Record<string, unknown>): InvoicesSearch {
  const { currency } = search
  return { ...readListSearch(search), ...(typeof currency === 'string' && { currency }) }
}

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
