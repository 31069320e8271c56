import { createRoute, redirect } from '@tanstack/react-router'
import { lazyPage } from '#app/lazy-page.ts'
import { queryClient } from '#app/query-client.ts'
import { rootRoute } from '#app/routes.tsx'
import { sessionQuery } from '#app/session.ts'

/** Outside the shell, because a user without a business has an account, too. */
export const accountRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/account',
    beforeLoad: async ({ location }) => {
      const session = await queryClient.ensureQueryData(sessionQuery)
      if (session === null) throw redirect({ to: '/sign-in', search: { to: location.href } })
      return { session }
    },
    component: lazyPage(() => import('#pages/account/account-page.tsx'), 'AccountPage'),
  }),
] as const
