import { createRootRoute, createRoute, Outlet, redirect, retainSearchParams } from '@tanstack/react-router'
import { lazyPage } from '#app/lazy-page.ts'
import { type Api, createApi } from '#app/api.ts'
import { queryClient } from '#app/query-client.ts'
import {
  businessesQuery,
  type Environment,
  type Membership,
  scopesIn,
  type Session,
  sessionQuery,
} from '#app/session.ts'
import { readStored, writeStored } from '#app/stored.ts'
import type { ShellContext } from '#app/shell-context.ts'
import { ErrorPage, NotFoundPage } from '#components/error-pages.tsx'

interface Place {
  business?: string
  environment?: Environment
}

/** Every address names the business and the environment, so that a link shows the same to whoever opens it. */
export const rootRoute = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFoundPage,
  errorComponent: ErrorPage,
  validateSearch: (search: Record<string, unknown>): Place => ({
    ...(typeof search['business'] === 'string' && { business: search['business'] }),
    ...((search['environment'] === 'test' || search['environment'] === 'live') && {
      environment: search['environment'],
    }),
  }),
  search: { middlewares: [retainSearchParams(['business', 'environment'])] },
})

/** The pages of a signed-in user. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: lazyPage(() => import('#app/shell.tsx'), 'Shell'),
  errorComponent: ErrorPage,
  beforeLoad: async ({ search, location }): Promise<ShellContext> => {
    const session = await queryClient.ensureQueryData(sessionQuery)
    if (session === null) throw redirect({ to: '/sign-in', search: { to: location.href } })
    const membership = chooseMembership(await openTo(session, search.business), search.business)
    if (membership === undefined) throw redirect({ to: '/account' })
    const environment = chooseEnvironment(membership, search.environment)
    const business = membership.business.code
    if (search.business !== business || search.environment !== environment) {
      throw redirect({
        to: location.pathname,
        search: (previous: Place) => ({ ...previous, business, environment }),
        replace: true,
      })
    }
    writeStored('place', { business, environment })
    return { session, membership, api: apiOf(membership, environment) }
  },
})

/** The same object as long as nothing of it changes, because hooks depend on it. */
const apis = new WeakMap<Membership, Partial<Record<Environment, Api>>>()

function apiOf(membership: Membership, environment: Environment): Api {
  const known = apis.get(membership) ?? {}
  const api = known[environment] ?? createApi(membership, environment)
  apis.set(membership, { ...known, [environment]: api })
  return api
}

function isPlace(value: unknown): value is Place {
  return typeof value === 'object' && value !== null
}

/** The memberships of the user. An operator who wants another business, or has none, may open all. */
async function openTo(
  { user, memberships }: Session,
  wanted: string | undefined,
): Promise<readonly Membership[]> {
  const isEnough = memberships.some(({ business }) => wanted === undefined || business.code === wanted)
  if (isEnough || !user.operator) return memberships
  return [...memberships, ...(await queryClient.ensureQueryData(businessesQuery))]
}

function chooseMembership(
  memberships: readonly Membership[],
  wanted: string | undefined,
): Membership | undefined {
  const stored = readStored('place', isPlace)?.business
  for (const code of [wanted, stored]) {
    const found = memberships.find(({ business }) => business.code === code)
    if (found !== undefined) return found
  }
  return memberships[0]
}

function chooseEnvironment(membership: Membership, wanted: Environment | undefined): Environment {
  const environment = wanted ?? readStored('place', isPlace)?.environment ?? 'test'
  if (scopesIn(membership, environment).length > 0) return environment
  return environment === 'live' ? 'test' : 'live'
}
