import type { Instant } from '#kernel/clock'
import { isPayerDeadlinePassed, nextInquiryAt, nextPayerInquiryAt } from '#kernel/inquiry-times'
import type { OperationKind } from '#modules/acquirers'
import type { IdempotencyId } from '#platform/idempotency/idempotency'
import type { Transaction, TransactionType } from './transaction.ts'

export type { OperationKind }
export type OperationStatus = 'queued' | 'sent' | 'unknown' | 'pending'

/**
 * An operation at the acquirer. The row exists from before the call until the outcome is known.
 * - `key`: Our idempotency key at the acquirer: the transaction's id, or a void's own.
 * - `reference`: The acquirer's id of this operation, committed before money can move; null for acquirers that know
 *   our key.
 * - `originalReference`: The acquirer's id of the payment that a capture, refund or void follows.
 * - `fallbackAccounts`: Accounts that may try the payment after this one explicitly declined it, in order.
 * - `sentAt`: The real time of the first call.
 * - `sealedReturned`: What the payer brought back from the acquirer, sealed.
 * - `idempotencyId`: The request that still waits for its reply; the outcome of the operation becomes that reply.
 * - `leaseId`: Names the lease. Only its holder records an outcome, even after the lease expired, until somebody else
 *   claims it.
 */
export interface Operation {
  readonly key: string
  readonly kind: OperationKind
  readonly orderId: string
  readonly transactionId: string
  readonly status: OperationStatus
  readonly payerPresent: boolean
  readonly reference: string | null
  readonly originalReference: string | null
  readonly fallbackAccounts: readonly string[]
  readonly sentAt: Instant
  readonly inquiries: number
  readonly sealedReturned: string | null
  readonly idempotencyId: IdempotencyId
  readonly requestId: string | null
  readonly startedAt: Instant
  readonly dueAt: Instant
  readonly leasedUntil: Instant | null
  readonly leaseId: string | null
}

export interface LeasedOperation {
  readonly operation: Operation
  readonly transaction: Transaction
  readonly at: Instant
}

export const OPERATION_OF_TYPE: Readonly<Record<TransactionType, OperationKind>> = {
  Sales: 'sale',
  Authorization: 'authorization',
  Capture: 'capture',
  Refund: 'refund',
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
 * The operation while the acquirer or the payer works on it. "Pending" was the final reply to the request, unless we had
 * replied 504: a replayed 504 shows the current state. Every caller of a pending void gets that reply.
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

export function isOverdue(operation: Operation, at: Instant): boolean {
  return operation.status === 'pending' && isPayerDeadlinePassed(operation.startedAt, at)
}

/** Acquirers forget idempotency keys after a day, so that an inquiry can no longer find out more. */
const DECIDABLE_AFTER_HOURS = 24

/** From when on, on the real clock, a person may decide an outcome that is still unknown. */
export function decidableAt({ sentAt }: Pick<Operation, 'sentAt'>): Instant {
  return sentAt.add({ hours: DECIDABLE_AFTER_HOURS })
}
