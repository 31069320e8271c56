import { type Money, sumMoney } from '#kernel/money'

interface Claim {
  readonly total: Money
  readonly prepaid: Money
  readonly credited: Money
}

/**
 * Decides what was still to be paid of an invoice at the end of a day.
 * @param moved what was paid until then, refunds negative
 */
export function dueOf(
  { total, prepaid, credited }: Claim,
  moved: readonly Money[],
): { paid: Money; due: Money } {
  const paid = sumMoney(total.currency, moved)
  const due = total.minus(prepaid).minus(credited).minus(paid)
  return { paid, due: due.isNegative() ? due.minus(due) : due }
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
