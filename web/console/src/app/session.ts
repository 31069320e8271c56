import { queryOptions } from '@tanstack/react-query'
import { ApiError } from 'quittance'
import { queryClient } from '#app/query-client.ts'
import { callSession } from '#app/session-api.ts'

export type Environment = 'test' | 'live'

export const ROLES = ['owner', 'developer', 'finance', 'support', 'read_only'] as const
export type Role = (typeof ROLES)[number]

export interface Membership {
  readonly business: {
    readonly code: string
    readonly name: string
    readonly time_zone?: string
    readonly currency?: string
    readonly test?: { readonly time_zone: string; readonly currency: string }
  }
  readonly test_role: Role | null
  readonly live_role: Role | null
  readonly test_scopes: readonly string[]
  readonly live_scopes: readonly string[]
}

/** What the user may do there. An operator needs no role for it. */
export function scopesIn(membership: Membership, environment: Environment): readonly string[] {
  return environment === 'live' ? membership.live_scopes : membership.test_scopes
}

export interface Settings {
  readonly oidc: readonly { readonly id: string; readonly name: string }[]
  readonly passkeys: boolean
  readonly mail?: boolean
  readonly needs_setup?: boolean
  readonly version: string
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
  readonly settings: Settings
}

/** The session of this browser, or null if nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      return await callSession<Session>('GET', '/session', undefined, signal)
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null
      throw error
    }
  },
})

/** All businesses, for operators. They may do everything in each. */
export const businessesQuery = queryOptions({
  queryKey: ['account', 'businesses'],
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<readonly Membership[]> => {
    const reply = await callSession<{ businesses: Membership[] }>('GET', '/businesses', undefined, signal)
    return reply.businesses
  },
})

/** How people may sign in here. Everybody may read it. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<Settings> => {
    const { settings } = await callSession<{ settings: Settings }>('GET', '/settings', undefined, signal)
    return settings
  },
})

/** Forgets what was read, so that nobody sees the data of the user who was signed in before. */
export function forgetSession(): void {
  queryClient.clear()
}
