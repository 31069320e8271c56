import { createRoute, redirect } from '@tanstack/react-router'
import { shellRoute } from '#app/routes.tsx'
import { pageOfId } from '#pages/find/page-of-id.ts'

export const findRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/find/$id',
    beforeLoad: ({ params }) => {
      const { to, search } = pageOfId(params.id)
      throw redirect({
        to,
        search: (previous: object) => ({ ...previous, ...search }),
        replace: true,
      })
    },
  }),
] as const
