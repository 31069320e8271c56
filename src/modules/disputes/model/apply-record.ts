import type { Instant } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { DisputeRecord, DisputeState } from '#modules/acquirers'
import type { Dispute, DisputedTransaction, DisputeEvent } from './dispute.ts'

export interface DisputeChange {
  readonly dispute: Dispute
  readonly events: readonly DisputeEvent[]
}

const CLOSING_EVENTS: Partial<Record<DisputeState, DisputeEvent>> = {
  won: 'dispute.won',
  lost: 'dispute.lost',
  inquiry_closed: 'dispute.closed',
}

export function openDispute(
  record: DisputeRecord,
  accountId: string,
  transaction: DisputedTransaction | null,
  now: Instant,
): DisputeChange {
  const { reference, paymentReference, amount, reason, state, respondBy, openedAt } = record
  const closing = CLOSING_EVENTS[state]
  return {
    dispute: {
      id: newId('dsp'),
      accountId,
      reference,
      paymentReference,
      transaction,
      amount,
      reason,
      state,
      respondBy,
      submittedAt: record.isSubmitted ? now : null,
      createdAt: openedAt,
      updatedAt: now,
    },
    events: ['dispute.opened', ...(closing === undefined ? [] : [closing])],
  }
}

export function applyRecord(
  before: Dispute,
  record: DisputeRecord,
  transaction: DisputedTransaction | null,
  now: Instant,
): DisputeChange {
  const { amount, reason, state, respondBy } = record
  const isSubmittedNow = record.isSubmitted && before.submittedAt === null
  const after: Dispute = {
    ...before,
    transaction: before.transaction ?? transaction,
    amount,
    reason,
    state,
    respondBy,
    submittedAt: isSubmittedNow ? now : before.submittedAt,
  }
  if (isSame(before, after)) return { dispute: before, events: [] }
  const closing = state === before.state ? undefined : CLOSING_EVENTS[state]
  const events: DisputeEvent[] = [
    ...(isSubmittedNow ? (['dispute.evidence_submitted'] as const) : []),
    ...(closing === undefined ? [] : [closing]),
  ]
  return {
    dispute: { ...after, updatedAt: now },
    events: events.length > 0 ? events : ['dispute.updated'],
  }
}

function isSame(a: Dispute, b: Dispute): boolean {
  return (
    a.transaction === b.transaction &&
    a.amount.currency === b.amount.currency &&
    a.amount.equals(b.amount) &&
    a.reason === b.reason &&
    a.state === b.state &&
    a.submittedAt === b.submittedAt &&
    a.respondBy?.epochMilliseconds === b.respondBy?.epochMilliseconds
  )
}
