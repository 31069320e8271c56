import type { Instant } from '#kernel/clock'
import type { SealBinding } from '#platform/security/keyring'

export const ON_SILENCE = ['rates', 'none'] as const

/** The bound of reference/billing-tax#engine and the default. */
export const MAX_ENGINE_TIMEOUT_MS = 5_000

/** - `onSilence`: Whether our own rates or none apply to lines that the engine does not answer. */
export interface TaxEngine {
  readonly url: string
  readonly timeoutMs: number
  readonly onSilence: (typeof ON_SILENCE)[number]
  readonly sealedSecret: string
  readonly createdAt: Instant
}

export function engineSecretBinding(businessId: string): SealBinding {
  return { businessId, field: 'tax_engines.sealed_secret' }
}
