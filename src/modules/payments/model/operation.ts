import type { Instant } from '#kernel/clock'
import type { OperationKind } from '#modules/acquirers'
import type { IdempotencyId } from '#platform/idempotency/idempotency'
import type { Order } from './order.ts'
import type { Transaction, TransactionType } from './transaction.ts'

export type { OperationKind }
export type KeepAs = 'token' | 'default'
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
 * - `keepAs`: What the payer's card becomes once an inquiry finds the payment approved: a token of the order's customer, or also
 *   the default. Null unless the acquirer's component confirms the payment itself.
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
  readonly keepAs: KeepAs | null
  readonly idempotencyId: IdempotencyId
  readonly requestId: string | null
  readonly startedAt: Instant
  readonly dueAt: Instant
  readonly leasedUntil: Instant | null
  readonly leaseId: string | null
}

export interface PendingReply {
  readonly idempotencyId: IdempotencyId
  readonly requestId: string
}

export interface LeasedOperation {
  readonly operation: Operation
  readonly transaction: Transaction
  readonly at: Instant
}

export interface InitiatedOperation extends LeasedOperation {
  readonly order: Order
}

export const OPERATION_OF_TYPE: Readonly<Record<TransactionType, OperationKind>> = {
  Sales: 'sale',
  Authorization: 'authorization',
  Capture: 'capture',
  Refund: 'refund',
}
