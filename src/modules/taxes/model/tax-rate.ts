import type { Instant } from '#kernel/clock'
import type { Decimal } from '#kernel/decimal'
import type { Metadata } from '#platform/http/validation/metadata'

/**
 * - `region`: Null for the whole country.
 * - `category`: Null for every category without a rate of this name of its own.
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

/** Decides for which lines a rate holds, and when. */
export type RateScope = Pick<TaxRate, 'name' | 'country' | 'region' | 'category' | 'validFrom' | 'validUntil'>

/** A rate that was taken back before it taxed anything holds on no day: it ends on the day before its first. */
export function holdsNever({ validFrom, validUntil }: Pick<RateScope, 'validFrom' | 'validUntil'>): boolean {
  return validUntil !== null && validUntil < validFrom
}

export function dayBefore(date: string): string {
  return Temporal.PlainDate.from(date).subtract({ days: 1 }).toString()
}

export type TaxRateEvent = 'tax_rate.created'

/** Equal for rates that must not overlap. */
export function overlapKey({ name, country, region, category }: RateScope): string {
  return JSON.stringify([country, region, category, name])
}
