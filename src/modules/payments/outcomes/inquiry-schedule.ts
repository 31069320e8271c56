import type { Instant } from '#kernel/clock'
import { isPayerDeadlinePassed, nextInquiryAt, nextPayerInquiryAt } from '#kernel/inquiry-times'
import { LEASE_MS } from '#modules/acquirers'
import type { Operation } from '../model/operation.ts'

/** When the resolver asks about an operation that is sent now: not before its sender's lease is over. */
export function firstInquiryAt(at: Instant): Instant {
  return at.add({ milliseconds: LEASE_MS })
}

const NO_LEASE = { leasedUntil: null, leaseId: null }

export function scheduleNextInquiry(operation: Operation, at: Instant, quietUntil?: Instant): Operation {
  if (operation.status === 'pending' && operation.kind !== 'void')
    return markPending(operation, at, quietUntil)
  return {
    ...operation,
    ...NO_LEASE,
    status: 'unknown',
    inquiries: operation.inquiries + 1,
    dueAt: nextInquiryAt(operation.inquiries, at, quietUntil),
  }
}

/**
 * The operation while the acquirer or the payer works on it. "Pending" was the final reply to the request, unless the reply
 * was 504, because a replayed 504 shows the current state. Every caller of a pending void gets "pending".
 */
export function markPending(operation: Operation, at: Instant, quietUntil?: Instant): Operation {
  const { kind, status } = operation
  const isFirstReply = kind === 'void' || status === 'sent' || status === 'queued'
  return {
    ...operation,
    ...NO_LEASE,
    ...(isFirstReply && { idempotencyId: null, requestId: null }),
    status: 'pending',
    dueAt: nextPayerInquiryAt(operation.startedAt, at, quietUntil),
  }
}

export function isOverdue(
  { status, startedAt }: Pick<Operation, 'status' | 'startedAt'>,
  at: Instant,
): boolean {
  return status === 'pending' && isPayerDeadlinePassed(startedAt, at)
}

/** Acquirers forget idempotency keys after a day, so an inquiry can then find out no more. */
export const DECIDABLE_AFTER_HOURS = 24

/** Returns the time, on the real clock, from which a person may decide an outcome that is still unknown. */
export function decidableAt({ sentAt }: Pick<Operation, 'sentAt'>): Instant {
  return sentAt.add({ hours: DECIDABLE_AFTER_HOURS })
}
