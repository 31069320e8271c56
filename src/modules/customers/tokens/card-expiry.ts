import { type Instant, isBefore } from '#kernel/clock'
import { startOfLocalDay, type TimeZone } from '#kernel/time-zone'

const MAX_YEARS_AHEAD = 100

export interface CardExpiry {
  readonly month: number
  readonly year: number
  readonly expiresAt: Instant
}

export function readExpiry(expMonth: string, expYear: string, zone: TimeZone): CardExpiry {
  const month = Number(expMonth)
  const year = expYear.length === 2 ? 2000 + Number(expYear) : Number(expYear)
  const nextMonth = new Temporal.PlainDate(year, month, 1).add({ months: 1 })
  return { month, year, expiresAt: startOfLocalDay(nextMonth, zone) }
}

export function expiryProblem(
  expiry: CardExpiry,
  at: Instant,
): 'card_expired' | 'card_expiry_invalid' | null {
  if (!isBefore(at, expiry.expiresAt)) return 'card_expired'
  const latestYear = at.toZonedDateTimeISO('UTC').year + MAX_YEARS_AHEAD
  return expiry.year > latestYear ? 'card_expiry_invalid' : null
}
