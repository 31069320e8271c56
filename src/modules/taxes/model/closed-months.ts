import type { Refused } from '#kernel/refusal'

type LocalDate = string

/**
 * Refuses what would count on a day that is closed: an issue, a value date, an undo or a repayment
 * (reference/billing-tax#closed-months). Dates are YYYY-MM-DD.
 * @param lockedUntil the last closed day; null if none is closed
 */
export function refuseLocked(
  date: LocalDate,
  lockedUntil: LocalDate | null,
  param?: string,
): Refused<'period_locked'> | null {
  if (lockedUntil === null || date > lockedUntil) return null
  const message = `${date} is in a month that is closed: the first open day is ${firstOpenDay(date, lockedUntil)}.`
  return { refused: 'period_locked', message, ...(param !== undefined && { param }) }
}

/** The day on which money counts that the bank booked on `date`: that day, or the first one that is open. */
export function firstOpenDay(date: LocalDate, lockedUntil: LocalDate | null): LocalDate {
  if (lockedUntil === null || date > lockedUntil) return date
  return Temporal.PlainDate.from(lockedUntil).add({ days: 1 }).toString()
}

/** Whether an edit opens days that were closed. */
export function opensDays(before: LocalDate | null, after: LocalDate | null): boolean {
  return before !== null && (after === null || after < before)
}
