/**
 * How long the customer of a plan is bound (reference/billing-lifecycle#terms): ISO 8601 durations of whole days.
 * - `renewal`: Null: a period.
 */
export interface Terms {
  readonly minimum: string
  readonly notice: string | null
  readonly renewal: string | null
}

interface TermLengths {
  readonly minimum: Temporal.Duration
  readonly notice: Temporal.Duration
  readonly renewal: Temporal.Duration
}

/**
 * Returns the first end of a term whose notice can still be given `today`. The first term begins on `from`, from which all
 * ends are counted, so that 31 January is followed by 28 February and 31 March.
 */
export function termEnd(
  { minimum, notice, renewal }: TermLengths,
  from: Temporal.PlainDate,
  today: Temporal.PlainDate,
): Temporal.PlainDate {
  const endOf = (renewals: number) =>
    from.add({
      years: minimum.years + renewal.years * renewals,
      months: minimum.months + renewal.months * renewals,
      weeks: minimum.weeks + renewal.weeks * renewals,
      days: minimum.days + renewal.days * renewals,
    })
  const isTooLate = (end: Temporal.PlainDate) => Temporal.PlainDate.compare(end.subtract(notice), today) < 0
  const passed = endOf(0).until(today.add(notice)).days
  // At least so many renewals have passed. Clamping to the ends of months moves an end by less than two renewals.
  let renewals = Math.max(0, Math.floor(passed / longestDays(renewal)) - 2)
  while (isTooLate(endOf(renewals))) renewals++
  return endOf(renewals)
}

function longestDays({ years, months, weeks, days }: Temporal.Duration): number {
  return years * 366 + months * 31 + weeks * 7 + days
}
