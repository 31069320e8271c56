import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'

/**
 * What the plan's credit gives back of what was paid of an order (reference/billing-changes#once).
 * - `taken`: What was taken back when the payment was undone. It comes again with the payment.
 * - `missing`: The part of `given` that could not be taken back, because the plan has spent it.
 */
export interface GivenCredit {
  readonly given: Money
  readonly taken: Money
  readonly missing: Money
}

export interface CreditSource {
  readonly orderId: string
  readonly amount: Money
}

export interface CreditRow {
  readonly planId: string
  readonly orderId: string | null
  readonly givenBy: string | null
  readonly amount: Money
  readonly note: string | null
  readonly at: Instant
}
