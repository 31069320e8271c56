import type { Instant } from '#kernel/clock'
import type { TaxedAs } from '#modules/taxes'
import type { Money } from '#kernel/money'

/**
 * A change that waits for the end of the period.
 * - `items`: The new list.
 * - `rhythm`: Another config, with which a new cycle begins.
 */
export interface PendingChange {
  readonly at: Instant
  readonly items: readonly { readonly itemId: string; readonly quantity: number }[]
  readonly rhythm: { readonly configId: string; readonly billingCount: number | null } | null
}

/**
 * What was billed for a period whose items changed. Before a change, the order of the period shows it.
 * - `pricedFrom`: The time from which the last change was priced.
 * - `parts`: By the position of the item; null where nothing was billed for it.
 * - `orders`: The ids of all that billed something of the period, the oldest first.
 */
export interface ChangedPeriod {
  readonly start: Instant
  readonly pricedFrom: Instant
  readonly parts: readonly (BilledPart | null)[]
  readonly orders: readonly string[]
}

/**
 * - `net`: What was billed for the item from `from` to the end of the period, after discounts.
 * - `orderId`: Null while its line waits for an order.
 * - `line`: The place of its line in the order; missing in older rows, from before places were stored.
 * - `taxedAs`: Missing where no tax was asked for, and while its line waits.
 */
export interface BilledPart {
  readonly net: Money
  readonly from: Instant
  readonly orderId: string | null
  readonly line?: number | undefined
  readonly taxedAs?: TaxedAs | undefined
}
