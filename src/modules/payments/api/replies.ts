import type { Instant } from '#kernel/clock'
import { RequestError } from '#kernel/errors'
import { errorEnvelope, successEnvelope } from '#platform/http/routes/envelope'
import { errors } from './errors.ts'
import type { Operation } from '../model/operation.ts'
import type { OrderAggregate } from '../model/order-aggregate.ts'
import type { PaymentUnitOfWork } from '../storage/payment-unit-of-work.ts'
import type { Order } from '../model/order.ts'
import { renderOrder, renderTransaction } from './render.ts'
import type { Transaction } from '../model/transaction.ts'

/** What the caller of an operation is told. */
export type PaymentResult = 'done' | 'pending' | 'unknown' | 'declined' | 'refused' | 'not_processed'

/** An operation's transaction, as an answer shows it. */
export interface TransactionSnapshot {
  readonly order: Order
  readonly transactions: readonly Transaction[]
  readonly transaction: Transaction
  /** The business's time of the answer. */
  readonly at: Instant
}

/** `data` of a success; or the error that is thrown, with order and transaction beside it (decisions, section 3). */
export function replyOf(verdict: PaymentResult, shown: TransactionSnapshot, declineCode?: string): object {
  const { order, transactions, transaction, at } = shown
  const data = {
    order: renderOrder(order, transactions, at),
    transaction: renderTransaction(transaction, transactions, at),
  }
  switch (verdict) {
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

/** What a transaction says for itself, whoever recorded its outcome. */
export function resultOfTransaction(transaction: Transaction): PaymentResult {
  switch (transaction.state) {
    case 'initiated':
    case 'unknown':
      return 'unknown'
    case 'pending':
    case 'requires_action':
      return 'pending'
    case 'failed':
      return verdictOfFailure(transaction)
    case 'authorized':
    case 'succeeded':
    case 'voided':
    case 'expired':
      return 'done'
  }
}

function verdictOfFailure(transaction: Transaction): PaymentResult {
  const { failure } = transaction.answer
  if (failure === 'refused') return 'refused'
  return failure === 'declined' || failure === 'not_sent' ? 'declined' : 'not_processed'
}

/** Answers, or throws when the answer is an error. */
export function replyOrThrow(answer: object): object {
  if (answer instanceof RequestError) throw answer
  return answer
}

/** Keeps the answer of the request that began the operation, to be given again. A 504 is replaced by what comes later. */
export function keepReply(
  unit: PaymentUnitOfWork,
  operation: Operation,
  aggregate: OrderAggregate,
  verdict: PaymentResult,
  declined: { readonly kind: string; readonly responseCode?: string },
  at: Instant,
): void {
  unit.keepReply(operation.idempotencyId, STATUS_OF[verdict], () => {
    const { order, transactions } = aggregate
    const shown = { order, transactions, transaction: aggregate.transaction(operation.transactionId), at }
    return envelopeOf(replyOf(verdict, shown, declined.responseCode), operation.requestId ?? '')
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

export function envelopeOf(answer: object, requestId: string): string {
  return answer instanceof RequestError ? errorEnvelope(answer, requestId) : successEnvelope(answer)
}
