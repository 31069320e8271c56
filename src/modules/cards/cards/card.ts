import { type Instant, isAfter } from '#kernel/clock'
import type { Currency } from '#kernel/currencies'
import { localDateOf, parseTimeZone, startOfLocalDay, type TimeZone } from '#kernel/time-zone'
import type { CardStatus, PhysicalStatus } from './card.states.ts'
import { errors } from '../api/errors.ts'
import type { SpendingControls } from '../limits/spending-controls.ts'

export const CARD_TYPES = ['virtual', 'physical'] as const
export type CardType = (typeof CARD_TYPES)[number]

/** Whether a card is made for a person or for a company. */
export const CARD_MODES = ['B2C', 'B2B'] as const
export type CardMode = (typeof CARD_MODES)[number]

export interface Card {
  readonly id: string
  readonly referenceId: string
  readonly type: CardType
  readonly mode: CardMode
  readonly title: string
  readonly businessName: string
  readonly currency: Currency
  /** As stored; ask `statusAt` for what it is. */
  readonly status: CardStatus
  readonly physicalStatus: PhysicalStatus
  readonly statusRemark: string
  /** Null while the card is in the pool. */
  readonly pUserId: string | null
  readonly timeZone: TimeZone
  readonly zoneSince: Instant
  readonly sealedNumber: string
  readonly first6: string
  readonly last4: string
  readonly issuerBrand: string
  /** MM/YYYY */
  readonly expirationDate: string
  /** The end of that month in the card's zone. */
  readonly expiresAt: Instant
  readonly spendingControls: SpendingControls
  readonly fundingWalletId: string | null
  readonly createdAt: Instant
}

/** How long a new card is valid. */
const VALID_MONTHS = 36

/** The last month of a card issued at `at`, as MM/YYYY. */
export function expirationDateOf(at: Instant, zone: TimeZone): string {
  const last = localDateOf(at, zone).toPlainYearMonth().add({ months: VALID_MONTHS })
  return `${String(last.month).padStart(2, '0')}/${String(last.year).padStart(4, '0')}`
}

/** When a card with `expirationDate` (MM/YYYY) is no longer valid: the end of that month in its zone. */
export function endOfValidity(expirationDate: string, zone: TimeZone): Instant {
  const [month, year] = expirationDate.split('/')
  const next = new Temporal.PlainYearMonth(Number(year), Number(month)).add({ months: 1 })
  return startOfLocalDay(next.toPlainDate({ day: 1 }), zone)
}

export function isExpired(card: Card, at: Instant): boolean {
  return !isAfter(card.expiresAt, at)
}

/** The status at `at`: a card expires with its month, also when due work has not written it yet. */
export function statusAt(card: Card, at: Instant): CardStatus {
  return card.status !== 'Terminated' && isExpired(card, at) ? 'Expired' : card.status
}

/** @throws 422 */
export function parseZone(name: string): TimeZone {
  const zone = parseTimeZone(name)
  if (zone === undefined) throw errors.card_time_zone_unknown({ param: 'card.time_zone' })
  return zone
}
