import { type Money, sumMoney } from '#kernel/money'

interface Claim {
  readonly total: Money
  readonly prepaid: Money
  readonly credited: Money
}

/**
 * What happened until the end of a day.
 * - `moved`: Refunds and returns are negative.
 */
interface Settled {
  readonly moved: readonly Money[]
  readonly movedToCredit: readonly Money[]
  readonly writtenOff: readonly Money[]
}

interface Due {
  readonly paid: Money
  readonly writtenOff: Money
  readonly due: Money
}

/** Decides what was still to be paid of an invoice at the end of a day. What moved to the credit of a plan no longer pays it. */
export function dueOf({ total, prepaid, credited }: Claim, settled: Settled): Due {
  const sum = (amounts: readonly Money[]) => sumMoney(total.currency, amounts)
  const paid = sum(settled.moved).minus(sum(settled.movedToCredit))
  const writtenOff = sum(settled.writtenOff)
  const due = total.minus(prepaid).minus(credited).minus(writtenOff).minus(paid)
  return { paid, writtenOff, due: due.isNegative() ? due.minus(due) : due }
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
