import { type Instant, isBefore } from '#kernel/clock'
import type { Money } from '#kernel/money'

/** Stable words. Each stands for one sentence and one reason, so that programs can say both in their own language. */
export const REASON_CODES = [
  'timer',
  'timer_and_payment_under_way',
  'authorization_period',
  'acquirer_did_not_answer',
  'acquirer_may_forget',
  'payer_has_not_confirmed',
  'payer_time_limit',
  'order_was_closed',
  'grace_ended',
  'payments_reversed_first',
  'voidable_until_then',
  'evidence_missing',
  'next_period',
  'next_period_without_end',
  'billing_count_reached',
  'last_billing_count_reached',
  'canceled_at_period_end',
  'change_scheduled',
  'not_charged_yet',
  'attempt_failed',
  'attempt_without_outcome',
  'no_attempt_left',
  'no_attempt_left_then_voided',
  'no_attempt_left_then_canceled',
  'another_token_needed',
  'grace_period_ends',
  'other_operation_under_way',
  'paused',
  'pause_ends',
  'trial_ends',
  'trial_ends_or_cancels',
  'trial_ends_or_pauses',
  'attempts_failed',
  'voided_after_last_attempt',
  'invoice_due',
  'renewal_announced',
  'payment_reminded',
] as const

export const OPERATION_NAMES = ['payment', 'authorization', 'capture', 'refund', 'void'] as const

export interface NextEntry {
  readonly at: Instant | null
  readonly kind: string
  readonly text: string
  readonly reason: string
  readonly reasonCode: (typeof REASON_CODES)[number]
  readonly details?: NextDetails
  readonly objectId?: string
  /** Who requested the step. */
  readonly actorId?: string
  readonly transactionUuid?: string
  readonly attempt?: number
  readonly attemptsTotal?: number
  readonly amount?: Money
}

/** The values of the sentences, named as in the response. */
interface NextDetails {
  readonly operation?: (typeof OPERATION_NAMES)[number]
  readonly inquiry?: number
  readonly decidable_at?: string
  readonly voids_at?: string
  readonly period?: number
  readonly periods_total?: number
  readonly document_number?: string
}

export function inOrder(entries: readonly NextEntry[]): NextEntry[] {
  return entries.toSorted((a, b) =>
    a.at === null || b.at === null ? rank(a) - rank(b) : compare(a.at, b.at),
  )
}

function rank({ at }: NextEntry): number {
  return at === null ? 0 : 1
}

function compare(a: Instant, b: Instant): number {
  return isBefore(a, b) ? -1 : isBefore(b, a) ? 1 : 0
}
