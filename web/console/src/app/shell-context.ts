import { getRouteApi } from '@tanstack/react-router'
import type { Api } from '#app/api.ts'
import type { Membership, Session } from '#app/session.ts'

export interface ShellContext {
  readonly session: Session
  readonly membership: Membership
  readonly api: Api
}

const shell = getRouteApi('/shell')

/** Who is signed in, and where. For pages inside the shell. */
export function useShell(): ShellContext {
  return shell.useRouteContext()
}

export function useApi(): Api {
  return shell.useRouteContext({ select: ({ api }) => api })
}

/** With the time zone and currency of the environment. */
export function useBusiness(): Membership['business'] {
  const { api, membership } = useShell()
  return { ...membership.business, ...(api.environment === 'test' && membership.business.test) }
}

/** The time zone of the environment, or that of the browser where the service does not say. */
export function useTimeZone(): string {
  return useBusiness().time_zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone
}
