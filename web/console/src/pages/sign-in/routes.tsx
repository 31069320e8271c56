import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#app/lazy-page.ts'
import { rootRoute } from '#app/routes.tsx'

interface SignInSearch {
  /** The address within the console that the visitor wanted. */
  to?: string
  /** Why a sign-in elsewhere failed. */
  error?: string
}

function readToken(search: Record<string, unknown>): { token?: string } {
  return typeof search['token'] === 'string' ? { token: search['token'] } : {}
}

export const signInRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-in',
    validateSearch: (search: Record<string, unknown>): SignInSearch => ({
      ...(typeof search['to'] === 'string' && { to: search['to'] }),
      ...(typeof search['error'] === 'string' && { error: search['error'] }),
    }),
    component: lazyPage(() => import('#pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/setup',
    validateSearch: readToken,
    component: lazyPage(() => import('#pages/sign-in/setup-page.tsx'), 'SetupPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/reset-password',
    validateSearch: readToken,
    component: lazyPage(() => import('#pages/sign-in/reset-password-page.tsx'), 'ResetPasswordPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/invitations/$token',
    component: lazyPage(() => import('#pages/sign-in/invitation-page.tsx'), 'InvitationPage'),
  }),
] as const
