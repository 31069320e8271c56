import { type Instant, realClock, timeOfChange } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { Money } from '#kernel/money'
import { leaseNow } from '#modules/acquirers'
import {
  type Operation,
  OPERATION_OF_TYPE,
  type KeepAs,
  type OperationStatus,
  type PendingReply,
} from '../model/operation.ts'
import type { OrderAggregate } from '../model/order-aggregate.ts'
import { INITIATED, type Transaction } from '../model/transaction.ts'
import { firstInquiryAt } from '../outcomes/inquiry-schedule.ts'
import type { PaymentUnitOfWork } from '../storage/payment-unit-of-work.ts'

/**
 * Every movement of money has the same steps. `initiate` reserves the amount and writes the transaction with its acquirer
 * operation. The caller commits, `perform` calls the acquirer, and `record` writes the outcome. After a crash in between, the
 * resolver continues the operation.
 */

/**
 * - `status`: `sent`: this process performs it after the commit. `queued`: the resolver does.
 * - `inquiries`: Inquiries already made for the lost operation that this one replaces, so that retries back off.
 *   Default 0.
 */
export interface InitiateOptions {
  readonly at: Instant
  readonly status: Extract<OperationStatus, 'sent' | 'queued'>
  readonly dueAt?: Instant
  readonly payerPresent?: boolean
  readonly fallbackAccounts?: readonly string[]
  readonly inquiries?: number
  readonly keepAs?: KeepAs
  readonly reply?: PendingReply
}

export interface InitiateFollowUpOptions extends InitiateOptions {
  readonly referenceId?: string | null
  readonly note?: string | null
}

export function initiatePayment(
  unit: PaymentUnitOfWork,
  aggregate: OrderAggregate,
  payment: Transaction,
  options: InitiateOptions,
): Operation {
  aggregate.reserve(payment)
  return saveNewOperation(unit, payment, options)
}

export function initiateCapture(
  unit: PaymentUnitOfWork,
  aggregate: OrderAggregate,
  authorization: Transaction,
  amount: Money,
  options: InitiateFollowUpOptions,
): Operation {
  return initiateFollowUp(unit, aggregate, { type: 'Capture', original: authorization, amount }, options)
}

export function initiateRefund(
  unit: PaymentUnitOfWork,
  aggregate: OrderAggregate,
  original: Transaction,
  amount: Money,
  options: InitiateFollowUpOptions,
): Operation {
  return initiateFollowUp(unit, aggregate, { type: 'Refund', original, amount: amount.negated() }, options)
}

/** A void has a key of its own: the acquirer may have closed the key of an earlier void of the same transaction. */
export function initiateVoid(
  unit: PaymentUnitOfWork,
  aggregate: OrderAggregate,
  transaction: Transaction,
  options: InitiateOptions,
): Operation {
  const voidKey = newId('void')
  const { voidFailure: _, ...answer } = transaction.answer
  aggregate.change(transaction.id, { voidKey, voidPending: true, answer }, options.at)
  return saveNewOperation(unit, transaction, options, { original: transaction, voidKey })
}

function initiateFollowUp(
  unit: PaymentUnitOfWork,
  aggregate: OrderAggregate,
  followUp: Pick<Transaction, 'amount'> & {
    readonly type: 'Capture' | 'Refund'
    readonly original: Transaction
  },
  options: InitiateFollowUpOptions,
): Operation {
  const { type, original, amount } = followUp
  const at = timeOfChange(aggregate.order, options.at)
  const transaction: Transaction = {
    ...original,
    ...INITIATED,
    id: newId('txn'),
    type,
    amount,
    referenceId: options.referenceId ?? null,
    originalId: original.id,
    fallbackOf: null,
    note: options.note ?? null,
    createdAt: at,
    updatedAt: at,
  }
  aggregate.add(transaction)
  return saveNewOperation(unit, transaction, options, { original })
}

function saveNewOperation(
  unit: PaymentUnitOfWork,
  transaction: Transaction,
  options: InitiateOptions,
  { original, voidKey }: { readonly original?: Transaction; readonly voidKey?: string } = {},
): Operation {
  const { at, status, reply } = options
  const lease = status === 'sent' ? leaseNow() : null
  const operation: Operation = {
    key: voidKey ?? transaction.id,
    kind: voidKey === undefined ? OPERATION_OF_TYPE[transaction.type] : 'void',
    orderId: transaction.orderId,
    transactionId: transaction.id,
    status,
    payerPresent: options.payerPresent ?? false,
    reference: null,
    originalReference: original?.answer.gatewayTransactionId ?? null,
    fallbackAccounts: options.fallbackAccounts ?? [],
    sentAt: realClock.now(),
    inquiries: options.inquiries ?? 0,
    sealedReturned: null,
    keepAs: options.keepAs ?? null,
    idempotencyId: reply?.idempotencyId ?? null,
    requestId: reply?.requestId ?? null,
    startedAt: at,
    dueAt: lease === null ? (options.dueAt ?? at) : firstInquiryAt(at),
    leasedUntil: lease?.until ?? null,
    leaseId: lease?.id ?? null,
  }
  unit.saveOperation(operation)
  return operation
}
