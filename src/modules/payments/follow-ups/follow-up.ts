import type { Money } from '#kernel/money'
import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import { claimIdempotencyKey } from '#platform/idempotency/idempotency'
import { answerOf, answerOrThrow } from '../api/answer.ts'
import type { AcquirerResult } from '../charges/apply-answer.ts'
import type { BeginTransaction } from './initiate-follow-up.ts'
import type { Reply } from '../charges/charge.ts'
import { acquirerOf, type PaymentsContext } from '../context.ts'
import type { AmountDecision } from '../charges/decide-amount.ts'
import { errors } from '../api/errors.ts'
import { transactionParam, transactionSelector } from '../api/identifiers.ts'
import type { Operation, UnderWay } from '../model/operation.ts'
import type { OrderAggregate } from '../model/order-aggregate.ts'
import { PaymentWork } from '../storage/payment-work.ts'
import { sendFollowUp } from '../charges/perform.ts'
import { recordAnswers } from '../charges/record-answers.ts'
import { recordForCaller } from '../charges/record-for-caller.ts'
import { referenceTaken, refuseTakenReference } from '../api/reference-id.ts'
import type { FollowUpRequestBody } from '../api/schemas.ts'
import { findByReference } from '../storage/transaction.repository.ts'
import type { Transaction } from '../model/transaction.ts'
import type { OrderSelector } from '../storage/order-selector.ts'

/** A capture or refund as its use case decides it: begins the operation, or throws. */
export type BeginFollowUp = (
  ledger: OrderAggregate,
  transaction: Transaction,
  begin: BeginTransaction,
) => Operation

/** What a capture and a refund have in common: save and commit, call, save the outcome. */
export async function runFollowUp(
  ctx: PaymentsContext,
  caller: Caller,
  request: FollowUpRequestBody,
  begin: BeginFollowUp,
): Promise<object> {
  const { businessId } = caller
  const selector = transactionSelector(businessId, request.transaction)
  await acquirerOf(ctx, businessId)
  const begun = await ctx.db
    .transact(businessId, (tx) => beginFollowUp(ctx, tx, caller, request, selector, begin))
    .catch((error: unknown) =>
      refuseTakenReference(ctx, businessId, request.reference_id, 'reference_id', error),
    )
  const answer = await sendFollowUp(ctx, businessId, begun)
  return recordFollowUp(ctx, businessId, begun.operation, answer)
}

/** Records what became of a capture, refund or void; answers its caller, or throws. */
export async function recordFollowUp(
  ctx: PaymentsContext,
  businessId: string,
  operation: Operation,
  answer: AcquirerResult,
): Promise<object> {
  const declineCode = answer.kind === 'declined' ? answer.responseCode : undefined
  const told = await recordForCaller(() =>
    ctx.db.transact(businessId, async (tx) => {
      const [recorded] = await recordAnswers(ctx, tx, [{ operation, answer, at: tx.now }])
      if (recorded === undefined) throw new Error('an operation was lost')
      return answerOf(recorded.verdict, { ...recorded, at: tx.now }, declineCode)
    }),
  )
  return answerOrThrow(told)
}

async function beginFollowUp(
  ctx: PaymentsContext,
  tx: Tx,
  caller: Caller,
  request: FollowUpRequestBody,
  selector: OrderSelector,
  begin: BeginFollowUp,
): Promise<UnderWay> {
  const { work, ledger, transaction, reply, first } = await lockNamed(ctx, tx, caller, request, selector)
  if (first !== null) throw referenceTaken('reference_id', first)
  if (ledger.order.voiding !== null) throw errors.payment_in_progress()
  const operation = begin(ledger, transaction, {
    at: tx.now,
    status: 'sent',
    referenceId: request.reference_id ?? null,
    note: request.note ?? null,
    reply,
  })
  work.keep(operation)
  ledger.recalculate(tx.now)
  await work.save()
  return { operation, transaction: ledger.transaction(operation.transactionId), at: tx.now }
}

/** What a request on a transaction begins with. */
interface Named {
  readonly work: PaymentWork
  readonly ledger: OrderAggregate
  readonly transaction: Transaction
  readonly reply: Reply
  /** The uuid of the transaction that has the request's `reference_id` already. */
  readonly first: string | null
}

/** Claims the request's key and locks the order of the transaction that it names. */
export async function lockNamed(
  ctx: PaymentsContext,
  tx: Tx,
  caller: Caller,
  request: FollowUpRequestBody,
  selector: OrderSelector,
): Promise<Named> {
  const idempotencyId = await claimIdempotencyKey(tx, caller)
  const [work, first] = await Promise.all([
    PaymentWork.lock(ctx, tx, selector),
    request.reference_id === undefined ? null : findByReference(tx, request.reference_id),
  ])
  const ledger = work.only
  const { uuid, reference_id: reference } = request.transaction
  const transaction = ledger?.transactions.find(
    ({ id, referenceId }) => id === uuid || (uuid === undefined && referenceId === reference),
  )
  if (ledger === undefined || transaction === undefined) {
    throw errors.transaction_not_found({ param: transactionParam(request.transaction) })
  }
  return { work, ledger, transaction, reply: { idempotencyId, requestId: caller.requestId }, first }
}

/** The amount that was decided on; throws why there is none. */
export function amountOrThrow(decision: AmountDecision<keyof typeof errors.catalogue>): Money {
  if (decision.ok) return decision.amount
  const { reason } = decision
  throw errors[reason](reason === 'amount_too_large' ? { param: 'amount' } : {})
}
