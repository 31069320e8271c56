import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#app/lazy-page.ts'
import { shellRoute } from '#app/routes.tsx'
import { readListSearch } from '#components/list/list-search.ts'

export const auditRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/audit',
    validateSearch: readListSearch,
    component: lazyPage(() => import('#pages/audit/audit-list-page.tsx'), 'AuditListPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/operators-log',
    validateSearch: readListSearch,
    component: lazyPage(() => import('#pages/audit/audit-list-page.tsx'), 'OperatorAuditPage'),
  }),
] as const
