import type { Instant } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { Line } from '#modules/catalogue'
import type { OrderTax } from '#modules/taxes'
import type { OrderWithTransactions } from '#modules/payments'
import { type DecidedChange, type PlanView, totalOf } from '#modules/plans'

/** A change as it is shown. The ids of credited orders are their numbers. */
export interface AppliedChange {
  readonly view: PlanView
  readonly change: ShownChange
  readonly order: OrderWithTransactions | undefined
  readonly at: Instant
}

/**
 * - `total`: Of the order, or of the lines that wait.
 * - `creditAdded`: To the plan's credit.
 */
export interface ShownChange extends Pick<DecidedChange, 'state' | 'effectiveAt' | 'proration' | 'credits'> {
  readonly lines: readonly Line[]
  readonly total: Money
  readonly tax: OrderTax | null
  readonly creditAdded: Money
}

export function shownChange(change: DecidedChange): ShownChange {
  const { state, effectiveAt, proration, credits, order, waiting } = change
  const total = totalOf(change)
  return {
    state,
    effectiveAt,
    proration,
    credits,
    lines: order?.lines.lines ?? waiting,
    total,
    tax: order?.lines.tax ?? null,
    creditAdded: order?.lines.toCredit ?? Money.zero(total.currency),
  }
}
