import { realClock } from '#kernel/clock'
import type { Instant } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { Money } from '#kernel/money'
import type { Reply } from './charge.ts'
import { LEASE_MS, OPERATION_OF_TYPE } from './operation.ts'
import type { Operation, OperationStatus } from './operation.ts'
import type { OrderLedger } from './order-ledger.ts'
import { NO_ANSWER } from './transaction.ts'
import type { Transaction } from './transaction.ts'

export interface Begin {
  readonly at: Instant
  /** `sent` by whoever begins it now, or `queued` for the resolver. */
  readonly status: Extract<OperationStatus, 'sent' | 'queued'>
  /** When a queued one is sent; default at once. */
  readonly dueAt?: Instant
  readonly referenceId?: string | null
  readonly note?: string | null
  readonly reply?: Reply
}

/** Begins a capture of `amount` of an authorization. */
export function beginCapture(
  ledger: OrderLedger,
  original: Transaction,
  amount: Money,
  begin: Begin,
): Operation {
  return beginTransaction(ledger, 'Capture', original, amount, begin)
}

/** Begins a refund of `amount` (positive) of a sale or capture. */
export function beginRefund(
  ledger: OrderLedger,
  original: Transaction,
  amount: Money,
  begin: Begin,
): Operation {
  return beginTransaction(ledger, 'Refund', original, amount.negated(), begin)
}

/** Begins the void of a transaction, under a key of its own: the void that failed before used up its key. */
export function beginVoid(ledger: OrderLedger, transaction: Transaction, begin: Begin): Operation {
  const key = newId('void')
  ledger.change(transaction.id, { voidKey: key, voidPending: true }, begin.at)
  return operationOf('void', key, transaction, begin)
}

function beginTransaction(
  ledger: OrderLedger,
  type: 'Capture' | 'Refund',
  original: Transaction,
  amount: Money,
  begin: Begin,
): Operation {
  const transaction: Transaction = {
    ...original,
    id: newId('txn'),
    type,
    state: 'initiated',
    amount,
    referenceId: begin.referenceId ?? null,
    originalId: original.id,
    note: begin.note ?? null,
    voidKey: null,
    voidPending: false,
    answer: NO_ANSWER,
    nextAction: null,
    receiptNumber: 0n,
    succeededAt: null,
    settlesAt: null,
    expiresAt: null,
    createdAt: begin.at,
    updatedAt: begin.at,
  }
  ledger.add(transaction)
  return operationOf(OPERATION_OF_TYPE[type], transaction.id, transaction, begin)
}

function operationOf(
  kind: Operation['kind'],
  key: string,
  transaction: Transaction,
  begin: Begin,
): Operation {
  const sent = begin.status === 'sent'
  return {
    key,
    kind,
    orderId: transaction.orderId,
    transactionId: transaction.id,
    status: begin.status,
    payerPresent: false,
    inquiries: 0,
    idempotencyId: begin.reply?.idempotencyId ?? null,
    requestId: begin.reply?.requestId ?? null,
    startedAt: begin.at,
    dueAt: sent ? begin.at.add({ milliseconds: LEASE_MS }) : (begin.dueAt ?? begin.at),
    leasedUntil: sent ? realClock.now().add({ milliseconds: LEASE_MS }) : null,
  }
}
