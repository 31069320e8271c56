import type { Instant } from '#kernel/clock'
import type { Environment } from '#platform/caller'

/**
 * - `pending`: The acquirer is being asked, or the process ended while it was.
 * - `no_domain`: The pages are at no public name, so there is nothing to register.
 */
export const DOMAIN_STATES = ['pending', 'registered', 'refused', 'unreachable', 'no_domain'] as const

export interface Registration {
  readonly state: (typeof DOMAIN_STATES)[number]
  readonly message: string | null
}

/** The file that shows Apple that an acquirer may offer Apple Pay on our pages. */
export interface DomainFile extends Registration {
  readonly accountId: string
  readonly content: string
  readonly environment: Environment
  readonly domain: string | null
  readonly setAt: Instant
}
