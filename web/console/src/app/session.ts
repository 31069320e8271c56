import { queryOptions } from '@tanstack/react-query'
import { SERVICE_URL } from '#app/base-path.ts'
import { queryClient } from '#app/query-client.ts'

export type Environment = 'test' | 'live'
export type Role = 'owner' | 'developer' | 'finance' | 'support' | 'read_only'

export interface Membership {
  readonly business: { readonly code: string; readonly name: string; readonly time_zone?: string }
  readonly test_role: Role | null
  readonly live_role: Role | null
  readonly test_scopes: readonly string[]
  readonly live_scopes: readonly string[]
}

export interface Session {
  readonly user: {
    readonly id: string
    readonly name: string
    readonly email: string
    readonly operator: boolean
    readonly two_factor_enabled: boolean
    readonly locale?: string | null
  }
  readonly memberships: readonly Membership[]
  readonly settings: {
    readonly oidc: readonly { readonly id: string; readonly name: string }[]
    readonly passkeys: boolean
    readonly version: string
  }
}

/** The session of this browser, or null for who is not signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<Session | null> => {
    const response = await fetch(`${SERVICE_URL}/console/api/session`, {
      headers: { accept: 'application/json' },
      signal,
    })
    if (response.status === 401) return null
    if (!response.ok)
      throw new Error(`The session could not be read: the service answered ${response.status}.`)
    return (await response.json()) as Session
  },
})

/** Forgets what was read, so that nobody sees data of who was signed in before. */
export function forgetSession(): void {
  queryClient.clear()
}
