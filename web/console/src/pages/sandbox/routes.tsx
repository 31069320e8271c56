import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '#app/routes.tsx'

export const sandboxRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/sandbox',
    component: lazyRouteComponent(() => import('#pages/sandbox/sandbox-page.tsx'), 'SandboxPage'),
  }),
] as const
