import { createRouter } from '@tanstack/react-router'
import { CONSOLE_PATH } from '#app/base-path.ts'
import { rootRoute, shellRoute } from '#app/routes.tsx'
import { PageSkeleton } from '#components/page-skeleton.tsx'
import { accountRoutes } from '#pages/account/routes.tsx'
import { homeRoutes } from '#pages/home/routes.tsx'
import { orderRoutes } from '#pages/orders/routes.tsx'
import { searchRoutes } from '#pages/search/routes.tsx'
import { settingsRoutes } from '#pages/settings/routes.tsx'
import { signInRoutes } from '#pages/sign-in/routes.tsx'

const routeTree = rootRoute.addChildren([
  ...signInRoutes,
  ...accountRoutes,
  shellRoute.addChildren([...homeRoutes, ...orderRoutes, ...searchRoutes, ...settingsRoutes]),
])

export const router = createRouter({
  routeTree,
  basepath: CONSOLE_PATH,
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultPendingComponent: PageSkeleton,
  defaultPendingMs: 200,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
