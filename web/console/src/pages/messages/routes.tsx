import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#app/lazy-page.ts'
import { shellRoute } from '#app/routes.tsx'
import { readListSearch } from '#components/list/list-search.ts'

const getParentRoute = () => shellRoute
const load = () => import('#pages/messages/all-page.tsx')

export const messageRoutes = [
  createRoute({
    getParentRoute,
    path: '/messages',
    validateSearch: readListSearch,
    component: lazyPage(load, 'MessageListPage'),
  }),
  createRoute({ getParentRoute, path: '/messages/$id', component: lazyPage(load, 'MessagePage') }),
  createRoute({ getParentRoute, path: '/suppressions', component: lazyPage(load, 'SuppressionListPage') }),
  createRoute({
    getParentRoute,
    path: '/settings/messages',
    component: lazyPage(load, 'MessageSettingsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings/messages/$kind',
    component: lazyPage(load, 'TemplatePage'),
  }),
] as const
