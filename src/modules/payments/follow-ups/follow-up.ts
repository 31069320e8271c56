import type { ExactNumber } from '#kernel/json'
import type { Money } from '#kernel/money'
import { type Outcome, outcomeOf } from '#platform/batches/batches'
import type { Caller } from '#platform/caller'
import { currentCause, type EventCause } from '#platform/events/events'
import { claimingKeys } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import { errors } from '../errors.ts'
import {
  requireTransactionIdentifier,
  type TransactionIdentifiers,
  transactionParam,
} from '../requests/identifiers.ts'
import { referenceTaken, refuseTakenReference } from '../requests/reference-id.ts'
import type { PendingReply } from '../charges/charge.ts'
import type { AmountDecision } from '../model/decide-amount.ts'
import type { PaymentsContext } from '../context.ts'
import type { InitiatedOperation, Operation } from '../model/operation.ts'
import { isBilled } from '../model/order.ts'
import type { OrderAggregate } from '../model/order-aggregate.ts'
import type { Transaction } from '../model/transaction.ts'
import type { InitiateFollowUpOptions } from '../operations/initiate.ts'
import { performFollowUp } from '../operations/perform.ts'
import { recordForCaller } from '../operations/record-for-caller.ts'
import type { PaymentResult } from '../outcomes/payment-result.ts'
import { byTransactions } from '../storage/order-selector.ts'
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

export type DecideOperation = (locked: LockedTransaction, options: InitiateFollowUpOptions) => Operation

/** Throws what refuses the request, before it changes anything. An `Answer` sends statements, so its request runs alone. */
export type DecideFollowUp = (...args: Parameters<DecideOperation>) => ReturnType<DecideOperation> | Answer

type Answer = () => Promise<Initiated>

export type Initiated =
  | { readonly kind: 'replied'; readonly result: PaymentResult }
  | ({ readonly kind: 'initiated' | 'resumed' } & InitiatedOperation)

export interface FollowUp {
  readonly caller: Caller
  readonly cause: EventCause
  readonly request: FollowUpRequest
  readonly decide: DecideFollowUp
}

export async function initiateForCaller(
  ctx: PaymentsContext,
  caller: Caller,
  request: FollowUpRequest,
  decide: DecideFollowUp,
): Promise<Initiated> {
  const { businessId } = caller
  requireTransactionIdentifier(request.transaction)
  return ctx.followUps
    .submit(businessId, { caller, cause: currentCause(), request, decide })
    .catch((error: unknown) =>
      refuseTakenReference(ctx, businessId, request.reference_id, 'reference_id', error),
    )
}

export async function performForCaller(
  ctx: PaymentsContext,
  businessId: string,
  initiated: Initiated,
): Promise<PaymentResult> {
  if (initiated.kind === 'replied') return initiated.result
  return recordForCaller(ctx, businessId, initiated, await performFollowUp(ctx, businessId, initiated))
}

export function initiateFollowUps(
  ctx: PaymentsContext,
  tx: Tx,
  followUps: readonly FollowUp[],
): Promise<Outcome<Initiated>[]> {
  const isAlone = followUps.length === 1
  return claimingKeys(tx, followUps, async (keyed) => {
    const requests = keyed.map(({ request: { request } }) => request)
    const { unit, find } = await lockTransactions(ctx, tx, requests)
    const references = new Set<string>()
    const decided = keyed.map(({ request: { caller, cause, request, decide }, idempotencyId }) => {
      const { reference_id: reference, note = null } = request
      // What becomes of the first with a reference is known when it is decided.
      if (reference !== undefined && references.has(reference)) return ALONE
      if (reference !== undefined) references.add(reference)
      return outcomeOf(() => {
        const locked = { ...find(request), reply: { idempotencyId, requestId: caller.requestId } }
        if (!isAlone && isBilled(locked.aggregate.order)) return 'billed'
        locked.aggregate.causedBy(cause)
        const options = { at: tx.now, status: 'sent', referenceId: reference ?? null, note } as const
        return decide(locked, { ...options, reply: locked.reply })
      })
    })
    const [only] = decided
    if (isAlone && only?.kind === 'done' && typeof only.value === 'function')
      return [{ kind: 'done', value: await only.value() }]
    if (decided.some(({ kind }) => kind === 'done')) await unit.save()
    return decided.map((outcome): Outcome<Initiated> => {
      if (outcome.kind !== 'done') return outcome
      const operation = outcome.value
      if (typeof operation !== 'object') return ALONE
      const aggregate = unit.aggregate(operation.orderId)
      const { order } = aggregate
      const transaction = aggregate.transaction(operation.transactionId)
      return { kind: 'done', value: { kind: 'initiated', operation, order, transaction, at: tx.now } }
    })
  })
}

const ALONE = { kind: 'alone' } as const

export async function previewForCaller(
  ctx: PaymentsContext,
  { businessId, requestId }: Caller,
  request: FollowUpRequest,
  decide: DecideOperation,
): Promise<Money> {
  requireTransactionIdentifier(request.transaction)
  return ctx.db.transact(businessId, async (tx) => {
    const { find } = await lockTransactions(ctx, tx, [request])
    const locked = { ...find(request), reply: { idempotencyId: null, requestId } }
    requireFree(locked)
    const operation = decide(locked, { at: tx.now, status: 'sent' })
    return locked.aggregate.transaction(operation.transactionId).amount.abs()
  })
}

export function requireFree({ aggregate, existing }: Omit<LockedTransaction, 'reply'>): void {
  if (existing !== undefined) throw referenceTaken('reference_id', existing)
  if (aggregate.order.voiding !== null) throw errors.payment_in_progress()
}

interface LockedTransactions {
  readonly unit: PaymentUnitOfWork
  readonly find: (request: FollowUpRequest) => Omit<LockedTransaction, 'reply'>
}

async function lockTransactions(
  ctx: PaymentsContext,
  tx: Tx,
  requests: readonly FollowUpRequest[],
): Promise<LockedTransactions> {
  const named = requests.map(({ transaction }) => transaction)
  const [unit, taken] = await Promise.all([
    PaymentUnitOfWork.lock(ctx, tx, byTransactions(tx.businessId, named)),
    findByReferences(tx, [...new Set(requests.flatMap(({ reference_id: reference }) => reference ?? []))]),
  ])
  const find = ({ transaction: wanted, reference_id: newReference }: FollowUpRequest) => {
    const { uuid, reference_id: reference } = wanted
    for (const aggregate of unit.aggregates.values()) {
      const transaction = aggregate.transactions.find(
        ({ id, referenceId }) =>
          (uuid === undefined || id === uuid) && (reference === undefined || referenceId === reference),
      )
      if (transaction !== undefined)
        return { unit, aggregate, transaction, existing: taken.get(newReference ?? '') }
    }
    throw errors.transaction_not_found({ param: transactionParam(wanted) })
  }
  return { unit, find }
}

export function amountOrThrow(decision: AmountDecision<keyof typeof errors.catalogue>): Money {
  if (decision.ok) return decision.amount
  const { reason } = decision
  throw errors[reason](reason === 'amount_too_large' ? { param: 'amount' } : {})
}
