import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '#app/routes.tsx'
import { readListSearch } from '#components/list/list-search.ts'

export const auditRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/audit',
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import('#pages/audit/audit-list-page.tsx'), 'AuditListPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/operators-log',
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import('#pages/audit/audit-list-page.tsx'), 'OperatorAuditPage'),
  }),
] as const
