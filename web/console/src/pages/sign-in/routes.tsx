import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '#app/routes.tsx'

export const signInRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-in',
    validateSearch: (search: Record<string, unknown>): { to?: string } =>
      typeof search['to'] === 'string' ? { to: search['to'] } : {},
    component: lazyRouteComponent(() => import('#pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
  }),
] as const

export const accountRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/account',
    component: lazyRouteComponent(() => import('#pages/sign-in/account-page.tsx'), 'AccountPage'),
  }),
] as const
