import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import type { BalanceEntry } from '#modules/acquirers'

export const ENTRY_TYPES = ['payment', 'refund', 'dispute', 'fee', 'payout', 'other'] as const

export const RESULTS = [
  'matched',
  'missing_here',
  'missing_there',
  'different_amount',
  'fee',
  'other',
] as const
export type Result = (typeof RESULTS)[number]

export interface Match {
  readonly result: Result
  readonly transactionId: string | null
  readonly orderNumber: string | null
  readonly disputeId: string | null
  readonly expected: Money | null
  readonly movedAt: Instant | null
}

export interface Entry extends BalanceEntry, Match {
  readonly reconciliationId: string
  readonly foundAt: Instant
}

export type CountedEntry = Pick<
  Entry,
  | 'id'
  | 'reconciliationId'
  | 'type'
  | 'result'
  | 'currency'
  | 'grossMinor'
  | 'feeMinor'
  | 'netMinor'
  | 'paid'
  | 'transactionId'
  | 'expected'
  | 'movedAt'
>
