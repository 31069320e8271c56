import type { Instant } from '#kernel/clock'
import type { Currency } from '#kernel/currencies'
import type { TimeZone } from '#kernel/time-zone'
import type { Environment } from '#platform/caller'
import type { Scope } from '#platform/http/routes/route'

/**
 * - `businessId`: Id of the tenant, that is, of one environment of the business.
 * - `code`: The value of `X-P-Customer-Code`; the same in both environments.
 * - `number`: 1, 2, 3, …; part of the derivation path of deposit addresses.
 */
export interface BusinessProfile {
  readonly businessId: string
  readonly code: string
  readonly name: string
  readonly environment: Environment
  readonly timeZone: TimeZone
  readonly currency: Currency
  readonly number: number
}

export interface NamedTenant {
  readonly code: string
  readonly environment: Environment
}

export interface App {
  readonly appId: string
  readonly environment: Environment
}

export interface NewBusiness {
  readonly name: string
  readonly code: string
  readonly timeZone: TimeZone
  readonly currency: Currency
  readonly appId: string
  readonly appName: string
  readonly test: NewEnvironment
  readonly live: NewEnvironment
  readonly keyId: string
  readonly apiKey: string
}

interface NewEnvironment {
  readonly businessId: string
  readonly webhookSecret: string
}

export interface ApiKey {
  readonly keyId: string
  readonly appId: string
  readonly businessId: string
  readonly businessName: string
  readonly environment: Environment
  readonly name: string | null
  readonly scopes: readonly Scope[]
  readonly createdAt: Instant
  readonly expiresAt: Instant | null
  readonly revokedAt: Instant | null
  readonly lastUsedAt: Instant | null
}
