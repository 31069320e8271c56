import type { Instant } from '#kernel/clock'
import type { TaxedAs } from '#modules/taxes'
import type { Money } from '#kernel/money'

/**
 * A change that waits for the end of the period, or for the payment of its order.
 * - `at`: When it takes effect; for a change that waits for a payment, when it was priced.
 * - `items`: The new list.
 * - `rhythm`: Another config, with which a new cycle begins.
 */
export interface PendingChange {
  readonly at: Instant
  readonly items: readonly { readonly itemId: string; readonly quantity: number }[]
  readonly rhythm: { readonly configId: string; readonly billingCount: number | null } | null
  readonly payment: AwaitedPayment | null
}

/** - `remaining`, `whole`: Local days, or milliseconds of a change that is priced by the second. */
interface Proration {
  readonly from: Instant
  readonly remaining: number
  readonly whole: number
}

/**
 * The payment that a change waits for (reference/billing-changes#paid-first), with what the change does once it is paid.
 * - `until`: When the order is voided and the change removed.
 * - `isAnnounced`: Whether `plan.change_scheduled` was written, because the payment did not end at once.
 * - `reply`: The request that waits for the outcome; null if its caller sent no `Idempotency-Key`.
 * - `proration`: How the change was priced; null if a whole period is billed.
 * - `period`: What is billed for the period after the change; null if a new cycle begins.
 * - `lowering`: The ids of the coupons that lower the order.
 */
export interface AwaitedPayment {
  readonly orderId: string
  readonly until: Instant
  readonly isAnnounced: boolean
  readonly reply: { readonly idempotencyId: string; readonly requestId: string } | null
  readonly proration: Proration | null
  readonly period: ChangedPeriod | null
  readonly lowering: readonly string[]
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
