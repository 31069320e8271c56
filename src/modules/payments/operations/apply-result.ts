import { type Instant, timeOfChange } from '#kernel/clock'
import { isPayerDeadlinePassed } from '#kernel/inquiry-times'
import { nextState } from '#kernel/state-table'
import { nextLocalMidnight, type TimeZone } from '#kernel/time-zone'
import { type AcquirerRecord, capabilitiesOf, type Outcome } from '#modules/acquirers'
import { keepReply, type PaymentResult } from '../api/replies.ts'
import type { PaymentEvent } from '../model/order-event.ts'
import { initiateRefund, initiateVoid, type InitiateOptions } from './initiate.ts'
import { markPending, type Operation, scheduleNextInquiry } from '../model/operation.ts'
import type { OrderAggregate } from '../model/order-aggregate.ts'
import { type AcquirerAnswer, isSettled, NO_ANSWER, type Transaction, usedOf } from '../model/transaction.ts'
import {
  TRANSACTION_STATES,
  type TransactionEvent,
  type TransactionState,
} from '../model/transaction.states.ts'
import type { PaymentUnitOfWork } from '../storage/payment-unit-of-work.ts'

/**
 * The acquirer's outcome, or that its key is closed with nothing booked under it: `absent` after an inquiry, `canceled` and
 * `expired` for a payment that waited for its payer. `isAbandoned`: the sender of a charge died before it recorded anything.
 */
export type AcquirerResult = (Outcome | { readonly kind: 'absent' | 'canceled' | 'expired' }) & {
  readonly isAbandoned?: boolean
}

const REVERSAL_RETRY_HOURS = 1

/**
 * Applies the result of an operation that is still open to its locked order: transaction, order, events and kept reply.
 * @returns the reply to the caller of the operation
 */
export function applyResult(
  unit: PaymentUnitOfWork,
  operation: Operation,
  acquirerResult: AcquirerResult,
  receivedAt: Instant,
  zone: TimeZone,
  quietUntil?: Instant,
): PaymentResult {
  const aggregate = unit.aggregate(operation.orderId)
  const at = timeOfChange(aggregate.order, receivedAt)
  const result = resultOf(operation, acquirerResult, at)
  if (result === 'unknown') unit.saveOperation(scheduleNextInquiry(operation, at, quietUntil))
  else if (result === 'pending') unit.saveOperation(markPending(operation, at, quietUntil))
  else unit.endOperation(operation)

  if (operation.kind === 'void') applyToVoided(unit, aggregate, operation, { result, acquirerResult }, at)
  else applyToTransaction(unit, aggregate, operation, acquirerResult, at, zone)

  // An inquiry without an answer changes neither a pending operation nor its reply.
  const keptResult = result === 'unknown' && operation.status === 'pending' ? 'pending' : result
  keepReply(unit, operation, aggregate, keptResult, acquirerResult, at)
  const { voiding } = aggregate.order
  if (voiding !== null && result !== 'unknown' && result !== 'pending') {
    const inquiries = result === 'not_processed' ? operation.inquiries : 0
    const isFailedVoid = operation.kind === 'void' && (result === 'declined' || result === 'refused')
    const dueAt = isFailedVoid ? at.add({ hours: REVERSAL_RETRY_HOURS }) : at
    aggregate.changeOrder({ voiding: { ...voiding, dueAt, inquiries } }, at)
  }
  return result
}

/** An inquiry without an answer leaves a void pending. One that is still pending after a day may need a person. */
function resultOf(operation: Operation, acquirerResult: AcquirerResult, at: Instant): PaymentResult {
  const result = plainResultOf(acquirerResult)
  const { kind, status, startedAt } = operation
  const isPending = result === 'pending' || (result === 'unknown' && status === 'pending')
  if (kind !== 'void' || !isPending) return result
  return isPayerDeadlinePassed(startedAt, at) ? 'unknown' : 'pending'
}

function plainResultOf(acquirerResult: AcquirerResult): PaymentResult {
  switch (acquirerResult.kind) {
    case 'approved':
      return 'done'
    case 'absent':
    case 'canceled':
    case 'expired':
      return 'not_processed'
    case 'declined':
    case 'pending':
    case 'refused':
    case 'unknown':
      return acquirerResult.kind
  }
}

function applyToTransaction(
  unit: PaymentUnitOfWork,
  aggregate: OrderAggregate,
  operation: Operation,
  acquirerResult: AcquirerResult,
  at: Instant,
  zone: TimeZone,
): void {
  const before = aggregate.transaction(operation.transactionId)
  const state = nextState(TRANSACTION_STATES, before.state, eventOf(before, acquirerResult))
  const nextAction = (acquirerResult.kind === 'pending' && acquirerResult.nextAction) || null
  if (state === undefined) {
    if (acquirerResult.kind === 'unknown' || acquirerResult.kind === 'pending') return
    throw new Error(`transaction ${before.id}: no ${acquirerResult.kind} from ${before.state}`)
  }
  const succeeded = state === 'succeeded' || state === 'authorized'
  const settles = state === 'succeeded' && before.type !== 'Refund'
  const { state: orderState } = aggregate.order
  aggregate.change(
    before.id,
    {
      state,
      nextAction,
      answer: answerOf(acquirerResult),
      succeededAt: succeeded ? at : null,
      settlesAt: settles ? settlesAt(before, at, zone) : null,
    },
    at,
  )
  if (before.state === 'unknown') aggregate.recordEvent('transaction.resolved', at, before.id)
  aggregate.recordEvent(paymentEventOf(state, succeeded), at, before.id)
  aggregate.recalculate(at)
  if (succeeded && before.type !== 'Refund' && (orderState === 'voided' || orderState === 'expired')) {
    reverse(unit, aggregate, aggregate.transaction(before.id), { at })
  }
  if (state === 'failed') retryFailedReversal(unit, aggregate, before, at)
}

export function retryFailedReversal(
  unit: PaymentUnitOfWork,
  aggregate: OrderAggregate,
  { type, originalId }: Transaction,
  at: Instant,
): void {
  if (type !== 'Refund' || originalId === null || !isClosed(aggregate)) return
  const original = aggregate.transaction(originalId)
  if (original.state !== 'succeeded') return
  reverseByRefund(unit, aggregate, original, { at, dueAt: at.add({ hours: REVERSAL_RETRY_HOURS }) })
}

function settlesAt({ acquirerName }: Transaction, at: Instant, zone: TimeZone): Instant {
  return capabilitiesOf(acquirerName).voidsCaptured ? nextLocalMidnight(at, zone) : at
}

function eventOf(transaction: Transaction, acquirerResult: AcquirerResult): TransactionEvent {
  switch (acquirerResult.kind) {
    case 'approved':
      return transaction.type === 'Authorization' ? 'authorize' : 'approve'
    case 'pending':
      return acquirerResult.nextAction === undefined ? 'wait' : 'challenge'
    case 'unknown':
      return 'lose'
    case 'absent':
    case 'canceled':
    case 'expired':
    case 'declined':
    case 'refused':
      return 'decline'
  }
}

function paymentEventOf(state: TransactionState, succeeded: boolean): PaymentEvent {
  if (succeeded) return 'transaction.succeeded'
  return state === 'failed' ? 'transaction.failed' : 'transaction.pending'
}

function applyToVoided(
  unit: PaymentUnitOfWork,
  aggregate: OrderAggregate,
  operation: Operation,
  { result, acquirerResult }: { readonly result: PaymentResult; readonly acquirerResult: AcquirerResult },
  at: Instant,
): void {
  const { transactionId: id, status, inquiries } = operation
  const { state: before, answer } = aggregate.transaction(id)
  // Only a late hold is released. The payment has failed already, and its order does not change.
  if (before === 'failed') {
    if (result !== 'unknown' && result !== 'pending') aggregate.change(id, { voidPending: false }, at)
    return
  }
  if (result === 'unknown' || result === 'pending') {
    if (status === 'sent' || status === 'queued') aggregate.recordEvent('transaction.pending', at, id)
    return
  }
  if (status === 'unknown' || (status === 'pending' && result !== 'done'))
    aggregate.recordEvent('transaction.resolved', at, id)
  if (result !== 'done') {
    const voidFailure = voidFailureOf(acquirerResult)
    const change = { voidKey: null, voidPending: false, answer: { ...answer, ...voidFailure } }
    const transaction = aggregate.change(id, change, at)
    if (isClosed(aggregate)) retryReversal(unit, aggregate, transaction, result, { at, inquiries })
    aggregate.recalculate(at)
    return
  }
  const state = nextState(TRANSACTION_STATES, before, 'void')
  if (state === undefined) throw new Error(`transaction ${id}: no void from ${before}`)
  aggregate.change(id, { state, voidPending: false }, at)
  aggregate.recordEvent('transaction.voided', at, id)
  aggregate.recalculate(at, 'void')
}

function voidFailureOf(acquirerResult: AcquirerResult): Pick<AcquirerAnswer, 'voidFailure'> {
  if (acquirerResult.kind !== 'declined' && acquirerResult.kind !== 'refused') return {}
  const { responseCode, responseMessage } = acquirerResult
  return { voidFailure: { responseCode, responseMessage } }
}

function isClosed({ order: { state } }: OrderAggregate): boolean {
  return state === 'voided' || state === 'expired'
}

type ReversalOptions = Omit<InitiateOptions, 'status'>

/** Gives money back that arrived for a closed order. The resolver sends the reversal (reference/payments#late-money). */
function reverse(
  unit: PaymentUnitOfWork,
  aggregate: OrderAggregate,
  transaction: Transaction,
  options: ReversalOptions,
): void {
  if (isSettled(transaction, options.at)) reverseByRefund(unit, aggregate, transaction, options)
  else initiateVoid(unit, aggregate, transaction, { ...options, status: 'queued' })
}

function reverseByRefund(
  unit: PaymentUnitOfWork,
  aggregate: OrderAggregate,
  transaction: Transaction,
  options: ReversalOptions,
): void {
  const { done, underWay } = usedOf(transaction, aggregate.transactions)
  const left = transaction.amount.minus(done).minus(underWay)
  if (!left.isPositive()) return
  initiateRefund(unit, aggregate, transaction, left, { ...options, status: 'queued' })
}

/** A void that never arrived is sent again; a payment that the acquirer does not void is refunded. */
function retryReversal(
  unit: PaymentUnitOfWork,
  aggregate: OrderAggregate,
  transaction: Transaction,
  result: PaymentResult,
  { at, inquiries }: Required<Pick<InitiateOptions, 'at' | 'inquiries'>>,
): void {
  if (result === 'not_processed') return reverse(unit, aggregate, transaction, { at, inquiries })
  const dueAt = at.add({ hours: REVERSAL_RETRY_HOURS })
  if (transaction.type === 'Authorization') reverse(unit, aggregate, transaction, { at, dueAt })
  else reverseByRefund(unit, aggregate, transaction, { at })
}

function answerOf(acquirerResult: AcquirerResult): AcquirerAnswer {
  switch (acquirerResult.kind) {
    case 'approved':
    case 'pending':
      return { ...recordOf(acquirerResult), hard: false, failure: null }
    case 'declined':
      return {
        ...recordOf(acquirerResult),
        ...(acquirerResult.reason !== undefined && { declineCode: acquirerResult.reason }),
        hard: acquirerResult.hard,
        failure: 'declined',
      }
    case 'refused':
      return failed('refused', acquirerResult.responseCode, acquirerResult.responseMessage)
    case 'unknown':
      return failed(acquirerResult.isAbandoned ? 'abandoned' : null, '', acquirerResult.responseMessage)
    case 'absent': {
      const failure = acquirerResult.isAbandoned ? 'abandoned' : 'not_processed'
      return failed(failure, 'not_processed', 'It never reached the acquirer’s books.')
    }
    case 'canceled':
      return failed('canceled', 'canceled', 'Canceled before the payer confirmed.')
    case 'expired':
      return failed('canceled', 'expired', 'The payer did not confirm in time.')
  }
}

function failed(failure: AcquirerAnswer['failure'], code: string, message: string): AcquirerAnswer {
  return { ...NO_ANSWER, responseCode: code, responseMessage: message, failure }
}

function recordOf(record: AcquirerRecord): AcquirerRecord {
  return {
    gatewayTransactionId: record.gatewayTransactionId,
    rrn: record.rrn,
    authCode: record.authCode,
    batchNumber: record.batchNumber,
    responseCode: record.responseCode,
    responseMessage: record.responseMessage,
  }
}
