import type { Instant } from '#kernel/clock'
import type { Currency } from '#kernel/currencies'
import type { TimeZone } from '#kernel/time-zone'
import type { Environment } from '#platform/caller'
import type { Scope } from '#platform/http/routes/route'

/** What others need to know of a tenant. It never changes. */
export interface BusinessProfile {
  /** The tenant: one environment of the business. */
  readonly businessId: string
  /** What `X-P-Customer-Code` names; the same in both environments. */
  readonly code: string
  readonly name: string
  readonly environment: Environment
  readonly timeZone: TimeZone
  /** The business's own currency, for what names none. */
  readonly currency: Currency
  /** Counts tenants from 1. */
  readonly number: number
}

/** One environment of a business, as the operator names it. */
export interface NamedTenant {
  readonly code: string
  readonly environment: Environment
}

/** An app in one of its environments, each of which has keys of its own. */
export interface App {
  readonly appId: string
  readonly environment: Environment
}

/** A business before it is stored, with the secrets that are shown once. */
export interface NewBusiness {
  readonly name: string
  readonly code: string
  readonly timeZone: TimeZone
  readonly currency: Currency
  readonly appId: string
  readonly appName: string
  readonly test: NewEnvironment
  readonly live: NewEnvironment
  /** A first key of the test environment, with all scopes. */
  readonly keyId: string
  readonly apiKey: string
}

interface NewEnvironment {
  readonly businessId: string
  readonly webhookSecret: string
}

/** An API key as the command line lists it. */
export interface ApiKey {
  readonly keyId: string
  readonly appId: string
  readonly businessId: string
  readonly businessName: string
  readonly environment: Environment
  readonly scopes: readonly Scope[]
  readonly createdAt: Instant
  readonly expiresAt: Instant | null
  readonly revokedAt: Instant | null
  readonly lastUsedAt: Instant | null
}
