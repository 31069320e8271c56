import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#app/lazy-page.ts'
import { shellRoute } from '#app/routes.tsx'
import { readListSearch } from '#components/list/list-search.ts'

export const settingsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/people',
    component: lazyPage(() => import('#pages/settings/people-page.tsx'), 'PeoplePage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/api-keys',
    validateSearch: readListSearch,
    component: lazyPage(() => import('#pages/settings/api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/acquirers',
    validateSearch: readListSearch,
    component: lazyPage(() => import('#pages/settings/acquirers/acquirers-page.tsx'), 'AcquirersPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/routing',
    component: lazyPage(() => import('#pages/settings/routing-page.tsx'), 'RoutingPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/webhooks',
    validateSearch: readListSearch,
    component: lazyPage(() => import('#pages/settings/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/branding',
    component: lazyPage(() => import('#pages/settings/branding-page.tsx'), 'BrandingPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/legal-entities',
    validateSearch: readListSearch,
    component: lazyPage(() => import('#pages/settings/legal-entities/entities-page.tsx'), 'EntitiesPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/legal-entities/$id',
    component: lazyPage(() => import('#pages/settings/legal-entities/entity-page.tsx'), 'EntityPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/billing',
    component: lazyPage(() => import('#pages/settings/billing/billing-page.tsx'), 'BillingPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/tax-rates',
    validateSearch: readListSearch,
    component: lazyPage(() => import('#pages/settings/tax-rates/rates-page.tsx'), 'RatesPage'),
  }),
] as const
