import { type Instant, timeOfChange } from '#kernel/clock'
import { nextState } from '#kernel/state-table'
import { nextLocalMidnight, type TimeZone } from '#kernel/time-zone'
import type { AcquirerRecord, Outcome } from '#modules/acquirers'
import { keepReply, type PaymentResult } from '../api/answer.ts'
import { beginRefund, beginVoid } from '../follow-ups/initiate-follow-up.ts'
import type { BeginOperation } from './initiate-operation.ts'
import type { PaymentEvent } from '../events.ts'
import { askAgain, type Operation, waitOn } from '../model/operation.ts'
import type { OrderAggregate } from '../model/order-aggregate.ts'
import type { PaymentWork } from '../storage/payment-work.ts'
import { type AcquirerAnswer, isSettled, NO_ANSWER, type Transaction, usedOf } from '../model/transaction.ts'
import {
  TRANSACTION_STATES,
  type TransactionEvent,
  type TransactionState,
} from '../model/transaction.states.ts'

/**
 * What is known of an operation: the acquirer's outcome; `absent`: nothing is booked under its key and nothing can be any
 * more; `canceled` and `expired`: the same, because we closed the key of a payment that waited for its payer.
 * `isAbandoned`: of a charge whose process died before it recorded anything.
 */
export type AcquirerResult = (Outcome | { readonly kind: 'absent' | 'canceled' | 'expired' }) & {
  readonly isAbandoned?: boolean
}

/** How long after a reversal that failed it is tried again. */
const REVERSAL_RETRY_HOURS = 1

/**
 * Draws the conclusions of an answer: the transaction, the order, the events, the kept reply. The order is locked and the
 * operation was open a moment ago.
 * @returns what the caller of the operation is told
 */
export function applyAnswer(
  work: PaymentWork,
  operation: Operation,
  answer: AcquirerResult,
  answeredAt: Instant,
  zone: TimeZone,
): PaymentResult {
  const ledger = work.ledger(operation.orderId)
  const at = timeOfChange(ledger.order, answeredAt)
  const verdict = verdictOf(answer)
  if (verdict === 'unknown') work.keep(askAgain(operation, at))
  else if (verdict === 'pending') work.keep(waitOn(operation, at))
  else work.end(operation)

  if (operation.kind === 'void') applyToVoided(work, ledger, operation, verdict, at)
  else applyToTransaction(work, ledger, operation, answer, at, zone)

  // Asked about in vain, what is pending stays so, and is replayed so.
  const kept = verdict === 'unknown' && operation.status === 'pending' ? 'pending' : verdict
  keepReply(work, operation, ledger, kept, answer, at)
  // A void of the order waits for this.
  const { voiding } = ledger.order
  if (voiding !== null && verdict !== 'unknown' && verdict !== 'pending') {
    const inquiries = verdict === 'not_processed' ? operation.inquiries : 0
    ledger.changeOrder({ voiding: { ...voiding, dueAt: at, inquiries } }, at)
  }
  return verdict
}

function verdictOf(answer: AcquirerResult): PaymentResult {
  switch (answer.kind) {
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
      return answer.kind
  }
}

function applyToTransaction(
  work: PaymentWork,
  ledger: OrderAggregate,
  operation: Operation,
  answer: AcquirerResult,
  at: Instant,
  zone: TimeZone,
): void {
  const before = ledger.transaction(operation.transactionId)
  const state = nextState(TRANSACTION_STATES, before.state, eventOf(before, answer))
  const nextAction = (answer.kind === 'pending' && answer.nextAction) || null
  if (state === undefined) {
    // Asked about in vain: it stays unknown or pending.
    if (answer.kind === 'unknown' || answer.kind === 'pending') return
    throw new Error(`transaction ${before.id}: no ${answer.kind} from ${before.state}`)
  }
  const succeeded = state === 'succeeded' || state === 'authorized'
  const settles = state === 'succeeded' && before.type !== 'Refund'
  const { state: orderState } = ledger.order
  ledger.change(
    before.id,
    {
      state,
      nextAction,
      answer: recordOf(answer),
      succeededAt: succeeded ? at : null,
      settlesAt: settles ? nextLocalMidnight(at, zone) : null,
    },
    at,
  )
  if (before.state === 'unknown') ledger.recordEvent('transaction.resolved', at, before.id)
  ledger.recordEvent(toldOf(state, succeeded), at, before.id)
  ledger.recalculate(at)
  if (succeeded && before.type !== 'Refund' && (orderState === 'voided' || orderState === 'expired')) {
    reverse(work, ledger, ledger.transaction(before.id), { at })
  }
  const { originalId } = before
  // A reversal by refund that failed.
  if (state === 'failed' && before.type === 'Refund' && originalId !== null && isClosed(ledger)) {
    const later = at.add({ hours: REVERSAL_RETRY_HOURS })
    reverseByRefund(work, ledger, ledger.transaction(originalId), { at, dueAt: later })
  }
}

function eventOf(transaction: Transaction, answer: AcquirerResult): TransactionEvent {
  switch (answer.kind) {
    case 'approved':
      return transaction.type === 'Authorization' ? 'authorize' : 'approve'
    case 'pending':
      return answer.nextAction === undefined ? 'wait' : 'challenge'
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

function toldOf(state: TransactionState, succeeded: boolean): PaymentEvent {
  if (succeeded) return 'transaction.succeeded'
  return state === 'failed' ? 'transaction.failed' : 'transaction.pending'
}

/** A void is not a transaction of its own: it changes the one it voids. */
function applyToVoided(
  work: PaymentWork,
  ledger: OrderAggregate,
  operation: Operation,
  verdict: PaymentResult,
  at: Instant,
): void {
  const { transactionId: id, status, inquiries } = operation
  if (verdict === 'unknown' || verdict === 'pending') {
    if (status === 'sent' || status === 'queued') ledger.recordEvent('transaction.pending', at, id)
    return
  }
  if (status === 'unknown') ledger.recordEvent('transaction.resolved', at, id)
  if (verdict !== 'done') {
    const kept = ledger.change(id, { voidKey: null, voidPending: false }, at)
    if (isClosed(ledger)) retryReversal(work, ledger, kept, verdict, { at, inquiries })
    ledger.recalculate(at)
    return
  }
  const state = nextState(TRANSACTION_STATES, ledger.transaction(id).state, 'void')
  if (state === undefined) throw new Error(`transaction ${id} was voided as ${ledger.transaction(id).state}`)
  ledger.change(id, { state, voidPending: false }, at)
  ledger.recordEvent('transaction.voided', at, id)
  ledger.recalculate(at, 'void')
}

function isClosed(ledger: OrderAggregate): boolean {
  return ledger.order.state === 'voided' || ledger.order.state === 'expired'
}

/** A reversal that the resolver sends. */
type QueuedReversal = Omit<BeginOperation, 'status'>

/** Money that arrived for an order that takes none any more is given back at once (decisions, section 3). */
function reverse(
  work: PaymentWork,
  ledger: OrderAggregate,
  transaction: Transaction,
  begin: QueuedReversal,
): void {
  if (isSettled(transaction, begin.at)) reverseByRefund(work, ledger, transaction, begin)
  else work.keep(beginVoid(ledger, transaction, { ...begin, status: 'queued' }))
}

function reverseByRefund(
  work: PaymentWork,
  ledger: OrderAggregate,
  transaction: Transaction,
  begin: QueuedReversal,
): void {
  const { done, underWay } = usedOf(transaction, ledger.transactions)
  const left = transaction.amount.minus(done).minus(underWay)
  if (left.isPositive()) work.keep(beginRefund(ledger, transaction, left, { ...begin, status: 'queued' }))
}

/** A reversal that never arrived is sent again; what the acquirer does not void, it refunds. */
function retryReversal(
  work: PaymentWork,
  ledger: OrderAggregate,
  transaction: Transaction,
  verdict: PaymentResult,
  { at, inquiries }: Required<Pick<BeginOperation, 'at' | 'inquiries'>>,
): void {
  if (verdict === 'not_processed') return reverse(work, ledger, transaction, { at, inquiries })
  const later = at.add({ hours: REVERSAL_RETRY_HOURS })
  if (transaction.type === 'Authorization') reverse(work, ledger, transaction, { at, dueAt: later })
  else reverseByRefund(work, ledger, transaction, { at })
}

function recordOf(answer: AcquirerResult): AcquirerAnswer {
  switch (answer.kind) {
    case 'approved':
    case 'pending':
      return { ...textsOf(answer), hard: false, failure: null }
    case 'declined':
      return { ...textsOf(answer), hard: answer.hard, failure: 'declined' }
    case 'refused':
      return failed('refused', answer.responseCode, answer.responseMessage)
    case 'unknown':
      return failed(answer.isAbandoned ? 'abandoned' : null, '', answer.responseMessage)
    case 'absent': {
      const failure = answer.isAbandoned ? 'abandoned' : 'not_processed'
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

function textsOf(record: AcquirerRecord): AcquirerRecord {
  return {
    gatewayTransactionId: record.gatewayTransactionId,
    rrn: record.rrn,
    authCode: record.authCode,
    batchNumber: record.batchNumber,
    responseCode: record.responseCode,
    responseMessage: record.responseMessage,
  }
}
