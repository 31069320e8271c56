import { getRouteApi } from '@tanstack/react-router'
import type { Api } from '#app/api.ts'
import type { ShellContext } from '#app/routes.tsx'

const shell = getRouteApi('/shell')

/** Who is signed in, and where. For pages inside the shell. */
export function useShell(): ShellContext {
  return shell.useRouteContext()
}

export function useApi(): Api {
  return shell.useRouteContext({ select: ({ api }) => api })
}

/** The time zone of the business, or that of the browser where the service does not say. */
export function useTimeZone(): string {
  return useShell().membership.business.time_zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone
}
