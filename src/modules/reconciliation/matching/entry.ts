import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import type { BalanceEntry } from '#modules/acquirers'

export const ENTRY_TYPES = ['payment', 'refund', 'dispute', 'fee', 'payout', 'other'] as const
export type EntryType = BalanceEntry['type']

/** `fee` and `other` (payouts, top-ups, lines from before the account was connected) have nothing here to compare with. */
export const RESULTS = [
  'matched',
  'missing_here',
  'missing_there',
  'different_amount',
  'fee',
  'other',
] as const
export type Result = (typeof RESULTS)[number]

/** What a line was found to be. */
export interface Match {
  readonly result: Result
  readonly transactionId: string | null
  readonly orderNumber: string | null
  readonly disputeId: string | null
  /** Our amount, where it differs. */
  readonly expected: Money | null
}

export interface Entry extends BalanceEntry, Match {
  readonly reconciliationId: string
  /** Real time. */
  readonly foundAt: Instant
}

/** What totals are made of. */
export type CountedEntry = Pick<
  Entry,
  'id' | 'reconciliationId' | 'type' | 'result' | 'currency' | 'grossMinor' | 'feeMinor' | 'netMinor'
>
