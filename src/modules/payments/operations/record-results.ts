import type { Instant } from '#kernel/clock'
import type { EventCause } from '#platform/events/events'
import type { Tx } from '#platform/postgres/database'
import { applyResult } from './apply-result.ts'
import type { Charge } from '../model/charge.ts'
import { initiateFallback } from './initiate-fallback.ts'
import { type PaymentsContext, routerOf } from '../context.ts'
import type { Operation } from '../model/operation.ts'
import type { AcquirerResult } from '../outcomes/acquirer-result.ts'
import {
  type PaymentResult,
  paymentResult,
  resultOfTransaction,
  resultOfVoid,
} from '../model/payment-result.ts'
import { lockHeldOperations } from '../storage/operation.repository.ts'
import { byIds } from '../storage/order-selector.ts'
import { PaymentUnitOfWork } from '../storage/payment-unit-of-work.ts'
import { endFailedOrderVoid } from './end-order-void.ts'

const CLOSED: ReadonlySet<AcquirerResult['kind']> = new Set(['absent', 'canceled', 'expired'])

/** The reason with which an acquirer declines a charge whose agreement has ended. */
const AGREEMENT_ENDED = 'agreement_ended'

export interface OperationResult {
  readonly operation: Operation
  readonly acquirerResult: AcquirerResult
  readonly at: Instant
  readonly quietUntil?: Instant | undefined
  readonly cause?: EventCause
  /** The charge that the caller has just performed. Only then may a fallback account try it again. */
  readonly charge?: Charge
}

/**
 * Records results with as many statements for hundreds of orders as for one: transactions, orders, events, kept replies and
 * handlers. A result is ignored if somebody else has recorded the outcome or has taken over the expired lease.
 */
export async function recordResults(
  ctx: PaymentsContext,
  tx: Tx,
  results: readonly OperationResult[],
): Promise<PaymentResult[]> {
  if (results.length === 0) return []
  const operations = results.map(({ operation }) => operation)
  const orderIds = new Set(operations.map(({ orderId }) => orderId))
  const [unit, held, { timeZone }, router] = await Promise.all([
    PaymentUnitOfWork.lock(ctx, tx, byIds([...orderIds])),
    lockHeldOperations(tx, operations),
    ctx.businesses.profile(tx.businessId),
    routerOf(ctx, tx.businessId),
  ])
  const applied = results.map(({ operation: { key }, acquirerResult, at, quietUntil, charge, cause }) => {
    const operation = held.get(key)
    if (operation === undefined) return undefined
    unit.aggregate(operation.orderId).causedBy(cause)
    const fallback = charge && initiateFallback(unit, router, charge, operation, acquirerResult, at)
    const withReply =
      fallback === undefined ? operation : { ...operation, idempotencyId: null, requestId: null }
    const { kind, reply } = applyResult(unit, withReply, acquirerResult, at, timeZone, quietUntil)
    if (operation.kind === 'void' && (kind === 'declined' || kind === 'refused'))
      endFailedOrderVoid(unit, unit.aggregate(operation.orderId), kind, at)
    return { reply, fallback }
  })
  await unit.save()
  const ours = heldResults(results, held)
  await repeatHolds(ctx, tx, unit, ours)
  await askAboutEndedAgreements(ctx, tx, unit, ours)
  await repeatFailures(ctx, tx, unit, ours)
  return results.map(({ operation: { kind, orderId, transactionId }, at }, index): PaymentResult => {
    const aggregate = unit.aggregate(orderId)
    const recorded = applied[index]
    if (recorded === undefined) {
      const transaction = aggregate.transaction(transactionId)
      const result = kind === 'void' ? resultOfVoid(transaction) : resultOfTransaction(transaction)
      return paymentResult(result, aggregate, transaction, at)
    }
    const { reply, fallback } = recorded
    if (fallback === undefined) return reply()
    const { order } = aggregate
    const charge = { ...fallback, order, transaction: aggregate.transaction(fallback.transaction.id) }
    return { ...reply(), fallback: charge }
  })
}

/** Leaves out the operations that this process does not hold any more. */
export function heldResults(
  results: readonly OperationResult[],
  held: ReadonlyMap<string, Operation>,
): OperationResult[] {
  return results.filter(({ operation: { key } }) => held.has(key))
}

/**
 * A request can reach the acquirer after its key was closed, and the notice of its hold may be handled while the charge is
 * still open. Once the charge has failed, the notice is handled again, and the hold is released.
 */
async function repeatHolds(
  ctx: PaymentsContext,
  tx: Tx,
  unit: PaymentUnitOfWork,
  results: readonly OperationResult[],
): Promise<void> {
  const closed = results.filter(
    ({ operation: { kind }, acquirerResult }) =>
      (kind === 'sale' || kind === 'authorization') && CLOSED.has(acquirerResult.kind),
  )
  if (closed.length === 0) return
  const charges = closed.map(({ operation: { key, orderId, transactionId } }) => ({
    accountId: unit.aggregate(orderId).transaction(transactionId).acquirerAccountId,
    key,
  }))
  await ctx.acquirers.repeatHolds(tx, charges)
}

/** The payer ended the agreement. The acquirer says so again before its token is deleted. */
async function askAboutEndedAgreements(
  ctx: PaymentsContext,
  tx: Tx,
  unit: PaymentUnitOfWork,
  results: readonly OperationResult[],
): Promise<void> {
  const tokens = results.flatMap(({ operation: { orderId, transactionId }, acquirerResult }) => {
    if (acquirerResult.kind !== 'declined' || acquirerResult.reason !== AGREEMENT_ENDED) return []
    return unit.aggregate(orderId).transaction(transactionId).token ?? []
  })
  if (tokens.length > 0) await ctx.customers.askAboutAgreements(tx, tokens)
}

/** The notice of a failure may come before the approval that it takes back. It is handled again once that is recorded. */
export async function repeatFailures(
  ctx: PaymentsContext,
  tx: Tx,
  unit: PaymentUnitOfWork,
  results: readonly OperationResult[],
): Promise<void> {
  const approved = results.filter(
    ({ operation: { kind }, acquirerResult }) =>
      kind !== 'void' && kind !== 'authorization' && acquirerResult.kind === 'approved',
  )
  if (approved.length === 0) return
  const operations = approved.map(({ operation: { key, orderId, transactionId } }) => {
    const { acquirerAccountId: accountId, acquirerName } = unit.aggregate(orderId).transaction(transactionId)
    return { accountId, acquirerName, key }
  })
  await ctx.acquirers.repeatFailures(tx, operations)
}

export function recordOutcomes(
  ctx: PaymentsContext,
  tx: Tx,
  outcomes: readonly {
    readonly charge: Charge
    readonly outcome: AcquirerResult
    readonly at: Instant
  }[],
): Promise<PaymentResult[]> {
  return recordResults(
    ctx,
    tx,
    outcomes.map(({ charge, outcome, at }) => ({
      operation: charge.operation,
      acquirerResult: outcome,
      at,
      charge,
    })),
  )
}
