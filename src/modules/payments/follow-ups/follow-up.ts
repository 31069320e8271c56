import type { ExactNumber } from '#kernel/json'
import type { Money } from '#kernel/money'
import type { Caller } from '#platform/caller'
import { claimIdempotencyKey } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import { errors } from '../errors.ts'
import {
  type TransactionIdentifiers,
  transactionParam,
  transactionSelector,
} from '../requests/identifiers.ts'
import { referenceTaken, refuseTakenReference } from '../requests/reference-id.ts'
import type { PendingReply } from '../charges/charge.ts'
import type { AmountDecision } from '../model/decide-amount.ts'
import type { PaymentsContext } from '../context.ts'
import type { InitiatedOperation, Operation } from '../model/operation.ts'
import type { OrderAggregate } from '../model/order-aggregate.ts'
import type { Transaction } from '../model/transaction.ts'
import type { InitiateFollowUpOptions } from '../operations/initiate.ts'
import type { OrderSelector } from '../storage/order-selector.ts'
import { PaymentUnitOfWork } from '../storage/payment-unit-of-work.ts'
import { findByReferences } from '../storage/transaction.repository.ts'

export interface FollowUpRequest {
  readonly transaction: TransactionIdentifiers
  readonly amount?: number | ExactNumber
  readonly note?: string | null
  readonly reference_id?: string
}

export interface LockedTransaction {
  readonly unit: PaymentUnitOfWork
  readonly aggregate: OrderAggregate
  readonly transaction: Transaction
  readonly reply: PendingReply
  readonly existing: string | undefined
}

export type DecideFollowUp = (locked: LockedTransaction, options: InitiateFollowUpOptions) => Operation

export async function initiateForCaller(
  ctx: PaymentsContext,
  caller: Caller,
  request: FollowUpRequest,
  decide: DecideFollowUp,
): Promise<InitiatedOperation> {
  const { businessId } = caller
  const selector = transactionSelector(businessId, request.transaction)
  return ctx.db
    .transact(businessId, async (tx) => {
      const locked = await lockTransaction(ctx, tx, caller, request, selector)
      const { unit, aggregate, reply } = locked
      requireFree(locked)
      const operation = decide(locked, {
        at: tx.now,
        status: 'sent',
        referenceId: request.reference_id ?? null,
        note: request.note ?? null,
        reply,
      })
      aggregate.recalculate(tx.now)
      await unit.save()
      const { order } = aggregate
      return { operation, order, transaction: aggregate.transaction(operation.transactionId), at: tx.now }
    })
    .catch((error: unknown) =>
      refuseTakenReference(ctx, businessId, request.reference_id, 'reference_id', error),
    )
}

export async function previewForCaller(
  ctx: PaymentsContext,
  caller: Caller,
  request: FollowUpRequest,
  decide: DecideFollowUp,
): Promise<Money> {
  const { businessId } = caller
  const selector = transactionSelector(businessId, request.transaction)
  const { idempotency: _unused, ...withoutKey } = caller
  return ctx.db.transact(businessId, async (tx) => {
    const locked = await lockTransaction(ctx, tx, withoutKey, request, selector)
    requireFree(locked)
    const operation = decide(locked, { at: tx.now, status: 'sent' })
    return locked.aggregate.transaction(operation.transactionId).amount.abs()
  })
}

function requireFree({ aggregate, existing }: LockedTransaction): void {
  if (existing !== undefined) throw referenceTaken('reference_id', existing)
  if (aggregate.order.voiding !== null) throw errors.payment_in_progress()
}

export async function lockTransaction(
  ctx: PaymentsContext,
  tx: Tx,
  caller: Caller,
  request: FollowUpRequest,
  selector: OrderSelector,
): Promise<LockedTransaction> {
  const idempotencyId = await claimIdempotencyKey(tx, caller)
  const references = request.reference_id === undefined ? [] : [request.reference_id]
  const [unit, taken] = await Promise.all([
    PaymentUnitOfWork.lock(ctx, tx, selector),
    findByReferences(tx, references),
  ])
  const aggregate = unit.only
  const { uuid, reference_id: reference } = request.transaction
  const transaction = aggregate?.transactions.find(
    ({ id, referenceId }) => id === uuid || (uuid === undefined && referenceId === reference),
  )
  if (aggregate === undefined || transaction === undefined) {
    throw errors.transaction_not_found({ param: transactionParam(request.transaction) })
  }
  const existing = taken.get(request.reference_id ?? '')
  return { unit, aggregate, transaction, reply: { idempotencyId, requestId: caller.requestId }, existing }
}

export function amountOrThrow(decision: AmountDecision<keyof typeof errors.catalogue>): Money {
  if (decision.ok) return decision.amount
  const { reason } = decision
  throw errors[reason](reason === 'amount_too_large' ? { param: 'amount' } : {})
}
