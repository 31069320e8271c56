import type { Decimal } from '#kernel/decimal'
import type { Money } from '#kernel/money'
import type { BilledLine } from '#modules/payments'
import type { TaxBehavior } from '#modules/taxes'

export interface PricedLine {
  readonly label: string
  /** The price of one unit; negative on deductions. */
  readonly price: Money
  readonly quantity: number
}

/**
 * - `productId`: The product by which coupons cover the line.
 * - `taxCategory`, `taxBehavior`: Those of the line's price; missing on lines without a price.
 */
export interface Line extends PricedLine {
  readonly billed: BilledLine
  readonly productId?: string | null
  readonly taxCategory?: string
  readonly taxBehavior?: TaxBehavior
}

export const DISCOUNT_TYPES = ['fixed_amount', 'percentage'] as const satisfies Discount['type'][]

export type Discount =
  | { readonly type: 'fixed_amount'; readonly amount: Money }
  | { readonly type: 'percentage'; readonly rate: Decimal }

/** - `productIds`: The products whose lines it lowers; null lowers every line. */
export interface CouponTerms {
  readonly id: string
  readonly name: string
  readonly off: Discount
  readonly productIds: readonly string[] | null
}
