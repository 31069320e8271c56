import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#app/lazy-page.ts'
import { shellRoute } from '#app/routes.tsx'

export const sandboxRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/sandbox',
    component: lazyPage(() => import('#pages/sandbox/sandbox-page.tsx'), 'SandboxPage'),
  }),
] as const
