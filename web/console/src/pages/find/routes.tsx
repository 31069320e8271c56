import { createRoute, redirect } from '@tanstack/react-router'
import { shellRoute } from '#app/routes.tsx'
import { pageOfId } from '#pages/find/page-of-id.ts'

export const findRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/find/$id',
    beforeLoad: async ({ params, context }) => {
      const { to, search } = await pageOfId(context.api, params.id)
      throw redirect({
        to,
        search: (previous: object) => ({ ...previous, ...search }),
        replace: true,
      })
    },
  }),
] as const
