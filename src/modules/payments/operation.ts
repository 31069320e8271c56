import type { Instant } from '#kernel/clock'
import type { IdempotencyId } from '#platform/idempotency'
import type { TransactionType } from './transaction.ts'

export type OperationKind = 'sale' | 'authorization' | 'capture' | 'refund' | 'void'
export type OperationStatus = 'queued' | 'sent' | 'unknown' | 'pending'

/** Something under way at an acquirer. It exists from before the call until its outcome is known. */
export interface Operation {
  /** Under which the acquirer knows it: the transaction's id, or a void's own. */
  readonly key: string
  readonly kind: OperationKind
  readonly orderId: string
  readonly transactionId: string
  readonly status: OperationStatus
  readonly payerPresent: boolean
  readonly inquiries: number
  /** The request whose answer the outcome is, while it is owed. */
  readonly idempotencyId: IdempotencyId
  readonly requestId: string | null
  readonly startedAt: Instant
  /** When the resolver takes it up, on the business's clock. */
  readonly dueAt: Instant
  /** Until when someone is at it, on the real clock. */
  readonly leasedUntil: Instant | null
}

export const OPERATION_OF_TYPE: Readonly<Record<TransactionType, OperationKind>> = {
  Sales: 'sale',
  Authorization: 'authorization',
  Capture: 'capture',
  Refund: 'refund',
}

/**
 * How long a call has before the resolver may take it for lost: an acquirer's timeout of 10 s, as long again to wait for a
 * free connection, and room. A call that arrives even later meets a closed key.
 */
export const LEASE_MS = 30_000

/** After how long the acquirer is asked what became of an unknown outcome (decisions, section 3); then hourly. */
const UNKNOWN_BACKOFF_MS = [1_000, 10_000, 60_000, 600_000]
const HOUR_MS = 3_600_000
/** How long a payer has to confirm (decisions, section 9). */
const PAYER_HAS_MS = 24 * HOUR_MS

/** The operation after it was asked about in vain. What was pending stays pending. */
export function askAgain(operation: Operation, at: Instant): Operation {
  if (operation.status === 'pending') return waitOn(operation, at)
  const milliseconds = UNKNOWN_BACKOFF_MS[operation.inquiries] ?? HOUR_MS
  return {
    ...operation,
    status: 'unknown',
    inquiries: operation.inquiries + 1,
    dueAt: at.add({ milliseconds }),
    leasedUntil: null,
  }
}

/**
 * The operation while the acquirer or the payer is at it. It is asked about after half as long again as it has waited, so
 * soon at first, at most hourly, and exactly at the payer's deadline. That it waits was its answer, unless that was 504:
 * of what became of that, a replay answers the state of now (decisions, section 1).
 */
export function waitOn(operation: Operation, at: Instant): Operation {
  const waitedMs = at.epochMilliseconds - operation.startedAt.epochMilliseconds
  const waitMs = Math.min(HOUR_MS, Math.max(1_000, Math.floor(waitedMs / 2)))
  const untilDeadlineMs = PAYER_HAS_MS - waitedMs
  const milliseconds = untilDeadlineMs > 0 ? Math.min(waitMs, untilDeadlineMs) : waitMs
  const isAnswered = operation.status === 'sent' || operation.status === 'queued'
  return {
    ...operation,
    ...(isAnswered && { idempotencyId: null, requestId: null }),
    status: 'pending',
    dueAt: at.add({ milliseconds }),
    leasedUntil: null,
  }
}

/** Whether the payer's time to confirm has run out. */
export function isOverdue(operation: Operation, at: Instant): boolean {
  const waitedMs = at.epochMilliseconds - operation.startedAt.epochMilliseconds
  return operation.status === 'pending' && waitedMs >= PAYER_HAS_MS
}
