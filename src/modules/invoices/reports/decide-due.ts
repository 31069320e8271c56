import { type Money, sumMoney } from '#kernel/money'
import type { OrderMoney } from '#modules/payments'

/** - `isOpen`: Whether it is open now. */
interface Claim {
  readonly isOpen: boolean
  readonly total: Money
  readonly prepaid: Money
  readonly credited: Money
}

/**
 * What happened until the end of a day.
 * - `moved`: Oldest first; refunds and returns are negative.
 */
interface Settled {
  readonly moved: readonly Pick<OrderMoney, 'type' | 'amount'>[]
  readonly movedToCredit: readonly Money[]
  readonly writtenOff: readonly Money[]
}

interface Due {
  readonly paid: Money
  readonly writtenOff: Money
  readonly due: Money
}

/**
 * Decides what was still to be paid of an invoice at the end of a day. What moved to the credit of a plan no longer pays it. Nobody owes
 * what was repaid beyond what was over-paid (reference/billing-transfers#overpayments).
 */
export function dueOf({ isOpen, total, prepaid, credited }: Claim, { moved, ...settled }: Settled): Due {
  const sum = (amounts: readonly Money[]) => sumMoney(total.currency, amounts)
  const movedToCredit = sum(settled.movedToCredit)
  const paid = sum(moved.map(({ amount }) => amount)).minus(movedToCredit)
  const writtenOff = sum(settled.writtenOff)
  const claim = total.minus(prepaid).minus(credited).minus(writtenOff)
  const due = claim.minus(paid)
  const isOwed = due.isPositive() && (isOpen || !wasPaid(claim.plus(movedToCredit), moved))
  return { paid, writtenOff, due: isOwed ? due : due.minus(due) }
}

/** A refund leaves a paid invoice paid, a return does not. */
function wasPaid(claim: Money, moved: Settled['moved']): boolean {
  let left = claim
  let isPaid = false
  for (const { type, amount } of moved) {
    left = left.minus(amount)
    if (type !== 'Refund') isPaid = !left.isPositive() || (isPaid && type !== 'Return')
  }
  return isPaid
}

/** How many days after its due date an invoice is; 0 until the due day has passed. */
export function daysOverdue(dueDate: string, day: string): number {
  const { days } = Temporal.PlainDate.from(dueDate).until(day, { largestUnit: 'days' })
  return Math.max(0, days)
}

export const AGES = ['not_due', '1_30', '31_60', '61_90', 'over_90'] as const
export type Age = (typeof AGES)[number]

export function ageOf(days: number): Age {
  if (days === 0) return 'not_due'
  if (days <= 30) return '1_30'
  if (days <= 60) return '31_60'
  return days <= 90 ? '61_90' : 'over_90'
}
