import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import type { Reply } from './disputes.ts'

export interface BookingPeriod {
  readonly from: Instant
  readonly until: Instant
}

/**
 * A payment or refund in the acquirer's own list.
 * - `key`: Our key, under which we asked for it.
 * - `reference`: What `commitReference` would have stored.
 * - `movesMoney`: False for a payment that is not confirmed, or was canceled.
 */
export interface Booking {
  readonly kind: 'payment' | 'refund'
  readonly key: string
  readonly reference: string
  readonly amount: Money | null
  readonly movesMoney: boolean
  readonly bookedAt: Instant
}

export type ListBookings = (period: BookingPeriod) => Promise<Reply<readonly Booking[]>>
