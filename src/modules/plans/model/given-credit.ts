import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'

/**
 * What was paid of an order and given back as credit of the plan (reference/billing-changes#once).
 * - `taken`: What was taken back when the payment was undone. It is given again when the payment returns.
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

/** - `movedFrom`: The order whose overpayment it was, which may be of another plan or of none. */
export interface CreditEntry {
  readonly planId: string
  readonly orderId: string | null
  readonly givenBy: string | null
  readonly movedFrom?: string
  readonly amount: Money
  readonly note: string | null
  readonly at: Instant
}
