import { type Instant, isAfter } from '#kernel/clock'
import type { Currency } from '#kernel/currencies'
import { localDateOf, startOfLocalDay, type TimeZone } from '#kernel/time-zone'
import type { Metadata } from '#platform/http/validation/metadata'
import type { CardStatus, PhysicalStatus } from './card.states.ts'
import type { SpendingControls } from './spending-controls-schema.ts'

export const CARD_TYPES = ['virtual', 'physical'] as const
type CardType = (typeof CARD_TYPES)[number]

export const CARD_MODES = ['B2C', 'B2B'] as const
type CardMode = (typeof CARD_MODES)[number]

/**
 * - `status`: The stored status. Read it with `statusAt`, which knows the expiry.
 * - `pUserId`: Null until the card is linked.
 * - `zoneSince`: When the time zone was set. Windows before that time have other bounds.
 */
export interface Card {
  readonly id: string
  readonly referenceId: string
  readonly type: CardType
  readonly mode: CardMode
  readonly title: string
  readonly businessName: string
  readonly currency: Currency
  readonly status: CardStatus
  readonly physicalStatus: PhysicalStatus
  readonly statusRemark: string
  readonly pUserId: string | null
  readonly timeZone: TimeZone
  readonly zoneSince: Instant
  readonly sealedNumber: string
  readonly first6: string
  readonly last4: string
  readonly issuerBrand: string
  readonly expirationDate: string
  readonly expiresAt: Instant
  readonly spendingControls: SpendingControls
  readonly fundingWalletId: string | null
  readonly metadata: Metadata
  readonly createdAt: Instant
}

/** The time of reference/cards#issuing. */
const VALID_MONTHS = 36

export function expirationDateOf(at: Instant, zone: TimeZone): string {
  const lastMonth = localDateOf(at, zone).toPlainYearMonth().add({ months: VALID_MONTHS })
  return `${String(lastMonth.month).padStart(2, '0')}/${String(lastMonth.year).padStart(4, '0')}`
}

export function endOfValidity(expirationDate: string, zone: TimeZone): Instant {
  const [month, year] = expirationDate.split('/')
  const next = new Temporal.PlainYearMonth(Number(year), Number(month)).add({ months: 1 })
  return startOfLocalDay(next.toPlainDate({ day: 1 }), zone)
}

export function isExpired(card: Card, at: Instant): boolean {
  return !isAfter(card.expiresAt, at)
}

export function statusAt(card: Card, at: Instant): CardStatus {
  return card.status !== 'Terminated' && isExpired(card, at) ? 'Expired' : card.status
}
