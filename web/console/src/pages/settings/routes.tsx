import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#app/lazy-page.ts'
import { shellRoute } from '#app/routes.tsx'
import { readListSearch } from '#components/list/list-search.ts'

const IN_SHELL = { getParentRoute: () => shellRoute } as const

export const settingsRoutes = [
  createRoute({
    ...IN_SHELL,
    path: '/settings/people',
    component: lazyPage(() => import('#pages/settings/people-page.tsx'), 'PeoplePage'),
  }),
  createRoute({
    ...IN_SHELL,
    path: '/settings/api-keys',
    validateSearch: readListSearch,
    component: lazyPage(() => import('#pages/settings/api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
  }),
  createRoute({
    ...IN_SHELL,
    path: '/settings/acquirers',
    validateSearch: readListSearch,
    component: lazyPage(() => import('#pages/settings/acquirers/acquirers-page.tsx'), 'AcquirersPage'),
  }),
  createRoute({
    ...IN_SHELL,
    path: '/settings/routing',
    component: lazyPage(() => import('#pages/settings/routing-page.tsx'), 'RoutingPage'),
  }),
  createRoute({
    ...IN_SHELL,
    path: '/settings/webhooks',
    validateSearch: readListSearch,
    component: lazyPage(() => import('#pages/settings/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    ...IN_SHELL,
    path: '/settings/business',
    component: lazyPage(() => import('#pages/settings/business-page.tsx'), 'BusinessPage'),
  }),
  createRoute({
    ...IN_SHELL,
    path: '/settings/branding',
    component: lazyPage(() => import('#pages/settings/branding-page.tsx'), 'BrandingPage'),
  }),
  createRoute({
    ...IN_SHELL,
    path: '/settings/legal-entities',
    validateSearch: readListSearch,
    component: lazyPage(() => import('#pages/settings/legal-entities/entities-page.tsx'), 'EntitiesPage'),
  }),
  createRoute({
    ...IN_SHELL,
    path: '/settings/legal-entities/$id',
    component: lazyPage(() => import('#pages/settings/legal-entities/entity-page.tsx'), 'EntityPage'),
  }),
  createRoute({
    ...IN_SHELL,
    path: '/settings/billing',
    component: lazyPage(() => import('#pages/settings/billing/billing-page.tsx'), 'BillingPage'),
  }),
  createRoute({
    ...IN_SHELL,
    path: '/settings/portal',
    component: lazyPage(() => import('#pages/settings/portal/portal-page.tsx'), 'PortalPage'),
  }),
  createRoute({
    ...IN_SHELL,
    path: '/settings/tax-rates',
    validateSearch: readListSearch,
    component: lazyPage(() => import('#pages/settings/tax-rates/rates-page.tsx'), 'RatesPage'),
  }),
  createRoute({
    ...IN_SHELL,
    path: '/settings/exchange-rates',
    validateSearch: readListSearch,
    component: lazyPage(
      () => import('#pages/settings/exchange-rates/exchange-rates-page.tsx'),
      'ExchangeRatesPage',
    ),
  }),
] as const
