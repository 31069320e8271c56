import { type Instant, timeOfChange } from '#kernel/clock'
import { nextState } from '#kernel/state-table'
import type { TimeZone } from '#kernel/time-zone'
import { type AcquirerResult, responseOf, decideResult, eventOf } from '../outcomes/acquirer-result.ts'
import { markPending, scheduleNextInquiry } from '../outcomes/inquiry-schedule.ts'
import { type PaymentResult, paymentResult } from '../model/payment-result.ts'
import { isSettled, settlementTime } from '../outcomes/settlement.ts'
import type { PaymentEvent } from '../model/order-event.ts'
import { initiateRefund, initiateVoid, type InitiateOptions } from './initiate.ts'
import type { Operation } from '../model/operation.ts'
import type { OrderAggregate } from '../model/order-aggregate.ts'
import { type AcquirerResponse, type PayerAction, type Transaction, usedOf } from '../model/transaction.ts'
import { TRANSACTION_STATES, type TransactionState } from '../model/transaction.states.ts'
import { NOT_SUCCEEDED, succeededOn } from '../model/value-date.ts'
import type { PaymentUnitOfWork } from '../storage/payment-unit-of-work.ts'

const REVERSAL_RETRY_HOURS = 1

/**
 * Changes the unit of work: applies the result of an operation that is still open to its locked order, its transaction and
 * events, and keeps the reply to its caller.
 * @returns `reply`: call it once the unit is saved to get the kept reply
 */
export function applyResult(
  unit: PaymentUnitOfWork,
  operation: Operation,
  acquirerResult: AcquirerResult,
  receivedAt: Instant,
  zone: TimeZone,
  quietUntil?: Instant,
): { readonly kind: PaymentResult['kind']; readonly reply: () => PaymentResult } {
  const aggregate = unit.aggregate(operation.orderId)
  const at = timeOfChange(aggregate.order, receivedAt)
  const result = decideResult(operation, acquirerResult, at)
  if (result === 'unknown') unit.saveOperation(scheduleNextInquiry(operation, at, quietUntil))
  else if (result === 'pending') unit.saveOperation(markPending(operation, at, quietUntil))
  else unit.endOperation(operation)

  if (operation.kind === 'void') applyToVoided(unit, aggregate, operation, { result, acquirerResult }, at)
  else applyToTransaction(unit, aggregate, operation, acquirerResult, at, zone)
  keepInstrument(unit, aggregate, operation, acquirerResult)

  // An inquiry without an answer changes neither a pending operation nor its reply.
  const keptResult = result === 'unknown' && operation.status === 'pending' ? 'pending' : result
  const answer = acquirerResult.kind === 'declined' ? responseOf(acquirerResult) : undefined
  const reply = () =>
    paymentResult(keptResult, aggregate, aggregate.transaction(operation.transactionId), at, answer)
  unit.keepReply(operation, reply)
  const { voiding } = aggregate.order
  if (voiding !== null && result !== 'unknown' && result !== 'pending') {
    const inquiries = result === 'not_processed' ? operation.inquiries : 0
    const isFailedVoid = operation.kind === 'void' && (result === 'declined' || result === 'refused')
    const dueAt = isFailedVoid ? at.add({ hours: REVERSAL_RETRY_HOURS }) : at
    aggregate.changeOrder({ voiding: { ...voiding, dueAt, inquiries } }, at)
  }
  return { kind: result, reply }
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
  const nextAction =
    acquirerResult.kind === 'pending' ? actionOf(unit, aggregate, before, acquirerResult, at) : null
  if (state === undefined) {
    if (acquirerResult.kind === 'unknown' || acquirerResult.kind === 'pending') return
    throw new Error(`transaction ${before.id}: no ${acquirerResult.kind} from ${before.state}`)
  }
  const succeeded = state === 'succeeded' || state === 'authorized'
  const dates = succeeded ? succeededOn(before, at, zone) : NOT_SUCCEEDED
  const { state: orderState } = aggregate.order
  aggregate.change(
    before.id,
    {
      state,
      ...amountOf(acquirerResult),
      nextAction,
      answer: named(responseOf(acquirerResult), operation),
      ...dates,
      settlesAt: settlementTime(before, state, at, zone),
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

/** Keeps what a component paid with that confirms payments itself. Its token becomes active when the acquirer confirms it once more. */
function keepInstrument(
  unit: PaymentUnitOfWork,
  aggregate: OrderAggregate,
  { keepAs, transactionId }: Operation,
  result: AcquirerResult,
): void {
  const { customerUuid, currency } = aggregate.order
  if (keepAs === null || customerUuid === null) return
  if (result.kind !== 'approved' || result.instrument === undefined) return
  const { instrument } = result
  unit.keepInstrument({
    customerUuid,
    accountId: aggregate.transaction(transactionId).acquirerAccountId,
    instrument,
    billingCurrency: currency,
    becomesDefault: keepAs === 'default',
  })
}

/** Without an id of the acquirer, the transaction is still found there by the id that we committed. */
function named(answer: AcquirerResponse, { reference }: Operation): AcquirerResponse {
  if (answer.gatewayTransactionId !== '' || reference === null) return answer
  return { ...answer, gatewayTransactionId: reference }
}

function amountOf(acquirerResult: AcquirerResult): Partial<Pick<Transaction, 'amount'>> {
  if (acquirerResult.kind !== 'approved' || acquirerResult.captured === undefined) return {}
  return { amount: acquirerResult.captured }
}

/** A bank's page is opened by itself. Our own page shows the code of a wallet, and its state. */
function actionOf(
  unit: PaymentUnitOfWork,
  { order }: OrderAggregate,
  { nextAction: before }: Transaction,
  { nextAction: asked }: Extract<AcquirerResult, { kind: 'pending' }>,
  at: Instant,
): PayerAction | null {
  if (asked === undefined) return null
  if (!SHOWN_ON_OUR_PAGE.has(asked.type)) return asked
  return { ...asked, page: before?.page ?? unit.paymentPage(order, at) }
}

const SHOWN_ON_OUR_PAGE: ReadonlySet<string> = new Set([
  'wallet_confirmation',
  'bank_confirmation',
  'component_confirmation',
])

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

function paymentEventOf(state: TransactionState, succeeded: boolean): PaymentEvent {
  if (succeeded) return 'transaction.succeeded'
  return state === 'failed' ? 'transaction.failed' : 'transaction.pending'
}

function applyToVoided(
  unit: PaymentUnitOfWork,
  aggregate: OrderAggregate,
  operation: Operation,
  {
    result,
    acquirerResult,
  }: { readonly result: PaymentResult['kind']; readonly acquirerResult: AcquirerResult },
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

function voidFailureOf(acquirerResult: AcquirerResult): Pick<AcquirerResponse, 'voidFailure'> {
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

function retryReversal(
  unit: PaymentUnitOfWork,
  aggregate: OrderAggregate,
  transaction: Transaction,
  result: PaymentResult['kind'],
  { at, inquiries }: Required<Pick<InitiateOptions, 'at' | 'inquiries'>>,
): void {
  if (result === 'not_processed') return reverse(unit, aggregate, transaction, { at, inquiries })
  const dueAt = at.add({ hours: REVERSAL_RETRY_HOURS })
  if (transaction.type === 'Authorization') reverse(unit, aggregate, transaction, { at, dueAt })
  else reverseByRefund(unit, aggregate, transaction, { at })
}
