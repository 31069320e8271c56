import type { Instant } from '#kernel/clock'
import { RequestError } from '#kernel/errors'
import { errorEnvelope, successEnvelope } from '#platform/envelope'
import { errors } from './errors.ts'
import type { Operation } from '../model/operation.ts'
import type { OrderAggregate } from '../model/order-aggregate.ts'
import type { PaymentUnitOfWork } from '../storage/payment-unit-of-work.ts'
import type { Order } from '../model/order.ts'
import { renderOrder, renderTransaction } from './render.ts'
import { DECLINED_FAILURES, type Transaction } from '../model/transaction.ts'

export type PaymentResult = 'done' | 'pending' | 'unknown' | 'declined' | 'refused' | 'not_processed'

export interface TransactionSnapshot {
  readonly order: Order
  readonly transactions: readonly Transaction[]
  readonly transaction: Transaction
  readonly at: Instant
}

/** The `data` of a success, or a `RequestError` that carries order and transaction beside the error. */
export function replyOf(result: PaymentResult, snapshot: TransactionSnapshot, declineCode?: string): object {
  const { order, transactions, transaction, at } = snapshot
  const data = {
    order: renderOrder(order, transactions, at),
    transaction: renderTransaction(transaction, transactions, at),
  }
  switch (result) {
    case 'done':
    case 'pending':
      return transaction.nextAction === null ? data : { ...data, next_action: transaction.nextAction }
    case 'unknown':
      return errors.outcome_unknown({ data })
    case 'declined':
      return errors.payment_declined({ data, ...(declineCode !== undefined && { declineCode }) })
    case 'refused':
      return errors.acquirer_refused({ data })
    case 'not_processed':
      return errors.not_processed({ data })
  }
}

export function resultOfTransaction(transaction: Transaction): PaymentResult {
  switch (transaction.state) {
    case 'initiated':
    case 'unknown':
      return 'unknown'
    case 'pending':
    case 'requires_action':
      return 'pending'
    case 'failed':
      return resultOfFailure(transaction)
    case 'authorized':
    case 'succeeded':
    case 'voided':
    case 'expired':
      return 'done'
  }
}

function resultOfFailure(transaction: Transaction): PaymentResult {
  const { failure } = transaction.answer
  if (failure === 'refused') return 'refused'
  return DECLINED_FAILURES.has(failure) ? 'declined' : 'not_processed'
}

export function replyOrThrow(reply: object): object {
  if (reply instanceof RequestError) throw reply
  return reply
}

/** Stores the reply for repeats of the request that initiated the operation. The final outcome replaces a stored 504. */
export function keepReply(
  unit: PaymentUnitOfWork,
  operation: Operation,
  aggregate: OrderAggregate,
  result: PaymentResult,
  declined: { readonly kind: string; readonly reason?: string; readonly responseCode?: string },
  at: Instant,
): void {
  unit.keepReply(operation.idempotencyId, STATUS_OF[result], () => {
    const { order, transactions } = aggregate
    const transaction = aggregate.transaction(operation.transactionId)
    const declineCode = declined.reason ?? declined.responseCode
    const reply = replyOf(result, { order, transactions, transaction, at }, declineCode)
    return envelopeOf(reply, operation.requestId ?? '')
  })
}

const STATUS_OF: Readonly<Record<PaymentResult, number>> = {
  done: 200,
  pending: 200,
  unknown: 504,
  declined: 402,
  refused: 502,
  not_processed: 502,
}

export function envelopeOf(reply: object, requestId: string): string {
  return reply instanceof RequestError ? errorEnvelope(reply, requestId) : successEnvelope(reply)
}
