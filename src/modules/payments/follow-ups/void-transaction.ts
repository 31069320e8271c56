import { referenceTaken } from '../requests/identifiers.ts'
import { throwIfRefused } from '#kernel/errors'
import { leaseNow } from '#modules/acquirers'
import type { Caller } from '#platform/caller'
import { joinIds } from '#platform/idempotency/idempotency'
import { errors } from '../errors.ts'
import type { PaymentsContext } from '../context.ts'
import { decideVoidTransaction } from './decide-void-transaction.ts'
import {
  type DecideFollowUp,
  initiateForCaller,
  type LockedTransaction,
  performFollowUpForCaller,
} from './follow-up.ts'
import type { Initiated } from './follow-up-request.ts'
import { refuseVoidOf } from './refuse-locked-days.ts'
import { readPositiveAmount } from '../requests/amounts.ts'
import type { InitiatedOperation, Operation } from '../model/operation.ts'
import { isInUse } from '../model/order.ts'
import type { Transaction } from '../model/transaction.ts'
import type { AcquirerResult } from '../outcomes/acquirer-result.ts'
import { applyResult } from '../operations/apply-result.ts'
import { initiateVoid } from '../operations/initiate.ts'
import { type PaymentResult, paymentResult } from '../model/payment-result.ts'
import { performFollowUp } from '../operations/perform.ts'
import { recordForCaller } from '../operations/record-for-caller.ts'
import { determineResult } from '../operations/determine-result.ts'
import { claimOperations, findOpenOperations, lockHeldOperations } from '../storage/operation.repository.ts'
import { byIds } from '../storage/order-selector.ts'
import { PaymentUnitOfWork } from '../storage/payment-unit-of-work.ts'
import type { FollowUpRequest } from '../model/order-requests.ts'

/**
 * POST transactions/void. A void of a voided transaction, or one that the acquirer has received, gets the same reply. A void
 * with an unknown outcome is resumed: the acquirer is asked first, and a void that never arrived is replaced by a new one.
 */
export async function voidTransaction(
  ctx: PaymentsContext,
  caller: Caller,
  request: FollowUpRequest,
): Promise<PaymentResult> {
  const { businessId } = caller
  const initiated = await initiateForCaller(ctx, caller, 'void', request)
  if (initiated.kind === 'resumed') return resume(ctx, businessId, initiated)
  return performFollowUpForCaller(ctx, businessId, initiated)
}

async function resume(
  ctx: PaymentsContext,
  businessId: string,
  resumed: InitiatedOperation,
): Promise<PaymentResult> {
  const { operation } = resumed
  const result = await determineResult(ctx, businessId, resumed)
  const replacement =
    result.kind === 'absent' ? await replaceLostVoid(ctx, businessId, operation, result) : null
  if (replacement === null) return recordForCaller(ctx, businessId, resumed, result)
  const replaced = { ...resumed, operation: replacement }
  return recordForCaller(ctx, businessId, replaced, await performFollowUp(ctx, businessId, replaced))
}

/**
 * Records that the void never arrived and initiates another one. Returns null if the order has changed meanwhile or somebody
 * else has taken over the lost void. The reply is then the result of the lost void.
 */
async function replaceLostVoid(
  ctx: PaymentsContext,
  businessId: string,
  operation: Operation,
  absent: AcquirerResult,
): Promise<Operation | null> {
  const { key, orderId, transactionId } = operation
  const { timeZone } = await ctx.businesses.profile(businessId)
  return ctx.db.transact(businessId, async (tx) => {
    const [unit, held] = await Promise.all([
      PaymentUnitOfWork.lock(ctx, tx, byIds([orderId])),
      lockHeldOperations(tx, [operation]),
    ])
    const lost = held.get(key)
    const aggregate = unit.aggregate(orderId)
    const { state, voiding } = aggregate.order
    const isOpen = (state === 'open' || state === 'completed') && voiding === null
    const transaction = aggregate.transaction(transactionId)
    const refusal = decideVoidTransaction(transaction, aggregate.transactions, tx.now)
    if (lost === undefined || !isOpen || refusal !== null) return null
    applyResult(unit, { ...lost, idempotencyId: null, requestId: null }, absent, tx.now, timeZone)
    const reply = { idempotencyId: lost.idempotencyId, requestId: lost.requestId ?? '' }
    const replacement = initiateVoid(unit, aggregate, aggregate.transaction(transactionId), {
      at: tx.now,
      status: 'sent',
      reply,
    })
    await unit.save()
    return replacement
  })
}

export function voidFor(request: FollowUpRequest): DecideFollowUp {
  return (locked) => {
    const { transaction } = locked
    checkWholeAmount(transaction, request)
    if (transaction.voidPending || transaction.state === 'voided') return () => repeatedVoid(locked, request)
    return initiateFirst(locked, request)
  }
}

async function repeatedVoid(locked: LockedTransaction, request: FollowUpRequest): Promise<Initiated> {
  const { unit, aggregate, transaction, reply } = locked
  const { tx } = unit
  const [open] = transaction.voidPending ? await findOpenOperations(tx, [transaction]) : []
  if (transaction.state === 'voided' || open?.status === 'pending') {
    const result = paymentResult('done', aggregate, transaction, tx.now)
    unit.keepReply(reply, () => result)
    await unit.save()
    return { kind: 'replied', result }
  }
  const { voidKey } = transaction
  const operation = voidKey === null ? initiateFirst(locked, request) : await claimOpenVoid(locked, voidKey)
  await unit.save()
  const kind = voidKey === null ? 'initiated' : 'resumed'
  return { kind, operation, order: aggregate.order, transaction, at: tx.now }
}

async function claimOpenVoid(
  { unit, reply, existing }: LockedTransaction,
  voidKey: string,
): Promise<Operation> {
  if (existing !== undefined) throw referenceTaken('reference_id', existing)
  const [operation] = await claimOperations(unit.tx, [voidKey], leaseNow())
  if (operation === undefined) throw errors.payment_in_progress()
  const idempotencyId = joinIds(operation.idempotencyId, reply.idempotencyId)
  const claimed = reply.idempotencyId === null ? operation : { ...operation, ...reply, idempotencyId }
  unit.saveOperation({ ...claimed, status: claimed.status === 'queued' ? 'sent' : claimed.status })
  return claimed
}

export function initiateFirst(
  { unit, aggregate, transaction, reply, existing, closed }: LockedTransaction,
  request: FollowUpRequest,
): Operation {
  const { now } = unit.tx
  // A void has no transaction of its own that could carry its `reference_id`. The check is for consistency.
  if (existing !== undefined) throw referenceTaken('reference_id', existing)
  if (aggregate.order.voiding !== null) throw errors.payment_in_progress()
  throwIfRefused(errors, decideVoidTransaction(transaction, aggregate.transactions, now))
  if (isInUse(aggregate.order, transaction.amount)) throw errors.payment_in_use()
  refuseVoidOf(transaction, closed)
  if (request.note !== undefined) aggregate.change(transaction.id, { note: request.note }, now)
  return initiateVoid(unit, aggregate, transaction, { at: now, status: 'sent', reply })
}

function checkWholeAmount(transaction: Transaction, request: FollowUpRequest): void {
  const amount = readPositiveAmount(transaction.currency, request.amount, 'amount')
  if (amount === undefined || amount.equals(transaction.amount)) return
  throw errors.amount_invalid({
    param: 'amount',
    message: `amount must be the whole amount of the transaction, ${transaction.amount.toString()}, or left out.`,
  })
}
