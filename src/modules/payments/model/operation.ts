import type { Instant } from '#kernel/clock'
import { isPayerTooLate, nextInquiryAt, nextLookForPayerAt } from '#kernel/inquiry-times'
import type { IdempotencyId } from '#platform/idempotency/idempotency'
import type { Transaction, TransactionType } from './transaction.ts'

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

/** An operation that is leased to us, with what a call about it takes. */
export interface UnderWay {
  readonly operation: Operation
  readonly transaction: Transaction
  /** The business's time of the call. */
  readonly at: Instant
}

export const OPERATION_OF_TYPE: Readonly<Record<TransactionType, OperationKind>> = {
  Sales: 'sale',
  Authorization: 'authorization',
  Capture: 'capture',
  Refund: 'refund',
}

/** The operation after it was asked about in vain. What was pending stays pending. */
export function askAgain(operation: Operation, at: Instant): Operation {
  if (operation.status === 'pending') return waitOn(operation, at)
  return {
    ...operation,
    status: 'unknown',
    inquiries: operation.inquiries + 1,
    dueAt: nextInquiryAt(operation.inquiries, at),
    leasedUntil: null,
  }
}

/**
 * The operation while the acquirer or the payer is at it. That it waits was its answer, unless that was 504: of what became
 * of that, a replay answers the state of now (decisions, section 1).
 */
export function waitOn(operation: Operation, at: Instant): Operation {
  const isAnswered = operation.status === 'sent' || operation.status === 'queued'
  return {
    ...operation,
    ...(isAnswered && { idempotencyId: null, requestId: null }),
    status: 'pending',
    dueAt: nextLookForPayerAt(operation.startedAt, at),
    leasedUntil: null,
  }
}

/** Whether the payer's time to confirm has run out. */
export function isOverdue(operation: Operation, at: Instant): boolean {
  return operation.status === 'pending' && isPayerTooLate(operation.startedAt, at)
}
