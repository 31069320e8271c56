import type { Instant } from '#kernel/clock'
import type { Decimal } from '#kernel/decimal'
import type { Metadata } from '#platform/http/validation/metadata'

/**
 * - `region`: Null for the whole country.
 * - `category`: Null for every category that has no rate of this name of its own.
 * - `validFrom`, `validUntil`: Local dates (YYYY-MM-DD), both inclusive.
 */
export interface TaxRate {
  readonly id: string
  readonly name: string
  readonly country: string
  readonly region: string | null
  readonly category: string | null
  readonly percentage: Decimal
  readonly validFrom: string
  readonly validUntil: string | null
  readonly referenceId: string | null
  readonly metadata: Metadata
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

export type TaxRateEvent = 'tax_rate.created'

export function overlaps(a: TaxRate, b: TaxRate): boolean {
  const isSameKey =
    a.name === b.name && a.country === b.country && a.region === b.region && a.category === b.category
  return (
    isSameKey && a.validFrom <= (b.validUntil ?? a.validFrom) && b.validFrom <= (a.validUntil ?? b.validFrom)
  )
}
