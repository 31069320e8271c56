import type { Instant } from '#kernel/clock'
import { LEASE_MS, leaseNow } from '#modules/acquirers'
import type { Reply } from './charge.ts'
import { type Operation, OPERATION_OF_TYPE, type OperationStatus } from '../model/operation.ts'
import type { Transaction } from '../model/transaction.ts'

export interface BeginOperation {
  readonly at: Instant
  /** `sent` by whoever begins it now, or `queued` for the resolver. */
  readonly status: Extract<OperationStatus, 'sent' | 'queued'>
  /** When a queued one is sent; default at once. */
  readonly dueAt?: Instant
  /** Default false. */
  readonly payerPresent?: boolean
  /**
   * How often was asked in vain about the one that it takes the place of: so that what never arrives is sent ever more
   * rarely. Default 0.
   */
  readonly inquiries?: number
  readonly reply?: Reply
}

/**
 * What is under way of a transaction from now on.
 * @param voidKey of its void; else it is the transaction itself that is under way
 */
export function beginOperation(transaction: Transaction, begin: BeginOperation, voidKey?: string): Operation {
  const { at, status, reply } = begin
  const isSent = status === 'sent'
  return {
    key: voidKey ?? transaction.id,
    kind: voidKey === undefined ? OPERATION_OF_TYPE[transaction.type] : 'void',
    orderId: transaction.orderId,
    transactionId: transaction.id,
    status,
    payerPresent: begin.payerPresent ?? false,
    inquiries: begin.inquiries ?? 0,
    idempotencyId: reply?.idempotencyId ?? null,
    requestId: reply?.requestId ?? null,
    startedAt: at,
    dueAt: isSent ? at.add({ milliseconds: LEASE_MS }) : (begin.dueAt ?? at),
    leasedUntil: isSent ? leaseNow().leasedUntil : null,
  }
}
