import type { BillingConfig } from '#kernel/billing-config'
import type { Instant } from '#kernel/clock'
import { wholeDecimal } from '#kernel/decimal'
import { Money } from '#kernel/money'
import type { Metadata } from '#platform/http/validation/metadata'
import { STANDARD_TAX, type TaxBehavior } from '#modules/taxes'
import type { PricedLine } from './line.ts'
import { amountOf, type Pricing, unitAmountAt } from './pricing.ts'

export interface Product {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly taxCategory: string
  readonly unitLabel: string | null
  readonly referenceId: string | null
  readonly metadata: Metadata
  readonly archivedAt: Instant | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/**
 * A price of the catalogue, or an item without a product (reference/billing-catalogue#prices). Only `supersededBy` changes, so
 * what a plan pays is fixed.
 * - `price`: The amount of one unit.
 */
export interface RecurringItem {
  readonly id: string
  readonly productId: string | null
  readonly label: string
  readonly price: Money
  readonly pricing: Pricing
  readonly taxBehavior: TaxBehavior
  readonly taxCategory: string
  readonly version: number
  readonly supersededBy: string | null
  readonly referenceId: string | null
  readonly description: string | null
  readonly metadata: Metadata
  readonly createdAt: Instant
}

/** The members of an item without a product, other than its texts. */
export const WITHOUT_PRODUCT = {
  productId: null,
  taxBehavior: 'exclusive',
  taxCategory: STANDARD_TAX,
  version: 1,
  supersededBy: null,
  metadata: null,
} as const

export interface BillingConfigRecord extends BillingConfig {
  readonly id: string
  readonly description: string | null
  readonly createdAt: Instant
}

export type CatalogueEvent =
  | 'product.created'
  | 'product.updated'
  | 'product.archived'
  | 'price.created'
  | 'price.superseded'

/** - `isArchived`: Whether its product is archived. */
export interface OfferedItem {
  readonly item: RecurringItem
  readonly isArchived: boolean
}

export interface CycleItem {
  readonly item: RecurringItem
  readonly quantity: number
}

/** If no price of one unit gives the amount, the line has quantity 1 and the amount as its price. */
export function pricedItem({ item, quantity }: CycleItem): PricedLine {
  const { label, pricing } = item
  const { currency } = item.price
  const units = wholeDecimal(quantity)
  const unitAmount = unitAmountAt(pricing, units)
  const price = unitAmount && Money.exactly(currency, unitAmount)
  if (price !== undefined) return { label, price, quantity }
  return { label, price: amountOf(pricing, units, currency), quantity: 1 }
}
