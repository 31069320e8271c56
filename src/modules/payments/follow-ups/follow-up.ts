import { errorOf } from '#kernel/errors'
import type { Money } from '#kernel/money'
import type { Caller } from '#platform/caller'
import { currentCause } from '#platform/events/events'
import type { Tx } from '#platform/postgres/database'
import { errors } from '../errors.ts'
import {
  requireTransactionIdentifier,
  transactionNotFound,
  referenceTaken,
  refuseTakenReference,
} from '../requests/identifiers.ts'
import type { AmountDecision } from '../model/decide-amount.ts'
import { givenCreditOf, type PaymentsContext } from '../context.ts'
import type { FollowUp, Initiated } from './follow-up-request.ts'
import type { Operation, PendingReply } from '../model/operation.ts'
import { leftBesideCredit } from '../model/left-to-give-back.ts'
import type { OrderAggregate } from '../model/order-aggregate.ts'
import type { Transaction } from '../model/transaction.ts'
import type { InitiateFollowUpOptions } from '../operations/initiate.ts'
import { performFollowUp } from '../operations/perform.ts'
import { recordForCaller } from '../operations/record-for-caller.ts'
import type { PaymentResult } from '../model/payment-result.ts'
import { type ClosedDays, closedDaysOf } from './refuse-locked-days.ts'
import { byTransactions } from '../storage/order-selector.ts'
import { PaymentUnitOfWork } from '../storage/payment-unit-of-work.ts'
import { findByReferences } from '../storage/transaction.repository.ts'
import type { FollowUpRequest } from '../model/order-requests.ts'

/** - `leftOfOrder`: What is left to give back of the order; undefined if nothing of it went back as credit. */
export interface LockedTransaction {
  readonly unit: PaymentUnitOfWork
  readonly aggregate: OrderAggregate
  readonly transaction: Transaction
  readonly reply: PendingReply
  readonly existing: string | undefined
  readonly leftOfOrder?: Money | undefined
  readonly closed: ClosedDays | null
}

export type DecideOperation = (locked: LockedTransaction, options: InitiateFollowUpOptions) => Operation

/** Throws a refusal before it changes anything. A returned function sends statements, and runs alone. */
export type DecideFollowUp = (
  ...args: Parameters<DecideOperation>
) => ReturnType<DecideOperation> | (() => Promise<Initiated>)

export async function initiateForCaller(
  ctx: PaymentsContext,
  caller: Caller,
  kind: FollowUp['kind'],
  request: FollowUpRequest,
): Promise<Initiated> {
  const { businessId } = caller
  requireTransactionIdentifier(request.transaction)
  return ctx.sets.initiateFollowUps
    .submit(businessId, { kind, caller, cause: currentCause(), request })
    .catch((error: unknown) =>
      refuseTakenReference(ctx, businessId, request.reference_id, 'reference_id', error),
    )
}

export async function performFollowUpForCaller(
  ctx: PaymentsContext,
  businessId: string,
  initiated: Initiated,
): Promise<PaymentResult> {
  if (initiated.kind === 'replied') return initiated.result
  return recordForCaller(ctx, businessId, initiated, await performFollowUp(ctx, businessId, initiated))
}

export async function previewForCaller(
  ctx: PaymentsContext,
  { businessId, requestId }: Caller,
  request: FollowUpRequest,
  decide: DecideOperation,
): Promise<Money> {
  requireTransactionIdentifier(request.transaction)
  return ctx.db.transact(businessId, async (tx) => {
    const { find } = await lockTransactions(ctx, tx, [request])
    const found = find(request)
    const reply = { idempotencyId: null, requestId }
    const locked = { ...found, leftOfOrder: await leftOf(ctx, tx, found.aggregate), reply }
    requireFree(locked)
    const operation = decide(locked, { at: tx.now, status: 'sent' })
    return locked.aggregate.transaction(operation.transactionId).amount.abs()
  })
}

export async function leftOf(
  ctx: PaymentsContext,
  tx: Tx,
  { order, transactions }: OrderAggregate,
): Promise<Money | undefined> {
  const given = (await givenCreditOf(ctx, tx, [order])).get(order.id)
  return leftBesideCredit({ order, transactions }, given)
}

export function requireFree({ aggregate, existing }: Omit<LockedTransaction, 'reply'>): void {
  if (existing !== undefined) throw referenceTaken('reference_id', existing)
  if (aggregate.order.voiding !== null) throw errors.payment_in_progress()
}

interface LockedTransactions {
  readonly unit: PaymentUnitOfWork
  readonly find: (request: FollowUpRequest) => Omit<LockedTransaction, 'reply'>
}

export async function lockTransactions(
  ctx: PaymentsContext,
  tx: Tx,
  requests: readonly FollowUpRequest[],
): Promise<LockedTransactions> {
  const named = requests.map(({ transaction }) => transaction)
  const [unit, taken] = await Promise.all([
    PaymentUnitOfWork.lockForRequest(ctx, tx, byTransactions(tx.businessId, named)),
    findByReferences(tx, [...new Set(requests.flatMap(({ reference_id: reference }) => reference ?? []))]),
  ])
  const closed = await closedDaysOf(ctx, unit)
  const find = ({ transaction: wanted, reference_id: newReference }: FollowUpRequest) => {
    const { uuid, reference_id: reference } = wanted
    for (const aggregate of unit.aggregates.values()) {
      const transaction = aggregate.transactions.find(
        ({ id, referenceId }) =>
          (uuid === undefined || id === uuid) && (reference === undefined || referenceId === reference),
      )
      if (transaction !== undefined)
        return { unit, aggregate, transaction, existing: taken.get(newReference ?? ''), closed }
    }
    throw transactionNotFound(wanted)
  }
  return { unit, find }
}

export function amountOrThrow(decision: AmountDecision<keyof typeof errors.catalogue>): Money {
  if (!('refused' in decision)) return decision.amount
  throw errorOf(errors, decision.refused === 'amount_too_large' ? { ...decision, param: 'amount' } : decision)
}
