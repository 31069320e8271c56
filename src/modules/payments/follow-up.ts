import type { Instant } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/database'
import { claimIdempotencyKey } from '#platform/idempotency'
import { answerOf, answerOrThrow } from './answer.ts'
import type { Answer } from './apply-answer.ts'
import type { Reply } from './charge.ts'
import { acquirerOf } from './context.ts'
import type { PaymentsContext } from './context.ts'
import { errors } from './errors.ts'
import { transactionParam, transactionSelector } from './identifiers.ts'
import type { Operation } from './operation.ts'
import type { OrderLedger } from './order-ledger.ts'
import { PaymentWork } from './payment-work.ts'
import { sendFollowUp } from './perform.ts'
import { recordAnswers } from './record-answers.ts'
import { refuseTakenReference } from './reference-id.ts'
import type { FollowUpRequestBody } from './schemas.ts'
import { findByReference } from './transaction.repository.ts'
import type { Transaction } from './transaction.ts'
import type { OrderSelector } from './order-selector.ts'

/** A capture, refund or void as its use case decides it: begins the operation, or throws. */
export type BeginFollowUp = (begin: {
  readonly ledger: OrderLedger
  readonly transaction: Transaction
  readonly at: Instant
  readonly reply: Reply
}) => Operation

/** What the three operations on a transaction have in common: save and commit, call, save the outcome. */
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
  const { operation, transaction, at } = begun
  const answer = await sendFollowUp(ctx, businessId, operation, transaction, at)
  return recordFollowUp(ctx, businessId, operation, answer)
}

interface BegunFollowUp {
  readonly operation: Operation
  readonly transaction: Transaction
  readonly at: Instant
}

/** Records what became of a capture, refund or void; answers its caller, or throws. */
export async function recordFollowUp(
  ctx: PaymentsContext,
  businessId: string,
  operation: Operation,
  answer: Answer,
): Promise<object> {
  const { timeZone } = await ctx.profileOf(businessId)
  const declineCode = answer.kind === 'declined' ? answer.responseCode : undefined
  return ctx.db
    .transact(businessId, async (tx) => {
      const { key, orderId, transactionId } = operation
      const known = { key, orderId, transactionId, answer, at: tx.now, zone: timeZone }
      const [recorded] = await recordAnswers(ctx, tx, [known])
      if (recorded === undefined) throw new Error('an operation was lost')
      return answerOf(recorded.verdict, { ...recorded, at: tx.now }, declineCode)
    })
    .then(answerOrThrow)
}

async function beginFollowUp(
  ctx: PaymentsContext,
  tx: Tx,
  caller: Caller,
  request: FollowUpRequestBody,
  selector: OrderSelector,
  begin: BeginFollowUp,
): Promise<BegunFollowUp> {
  const idempotencyId = await claimIdempotencyKey(tx, caller)
  const [work, first] = await Promise.all([
    PaymentWork.lock(ctx, tx, selector),
    request.reference_id === undefined ? null : findByReference(tx, request.reference_id),
  ])
  const ledger = work.only
  if (ledger === undefined)
    throw errors.transaction_not_found({ param: transactionParam(request.transaction) })
  if (first !== null) {
    throw errors.reference_id_taken({ param: 'reference_id', data: { transaction: { uuid: first } } })
  }
  const transaction = named(ledger, request)
  if (ledger.order.voiding !== null) throw errors.payment_in_progress()
  const reply = { idempotencyId, requestId: caller.requestId }
  const operation = begin({ ledger, transaction, at: tx.now, reply })
  work.keep(operation)
  ledger.settle(tx.now)
  await work.save()
  return { operation, transaction: ledger.transaction(operation.transactionId), at: tx.now }
}

/** The transaction that a request names, in its locked order. */
export function named(ledger: OrderLedger, request: FollowUpRequestBody): Transaction {
  const { uuid, reference_id: reference } = request.transaction
  const found = ledger.transactions.find(
    (transaction) => transaction.id === uuid || (uuid === undefined && transaction.referenceId === reference),
  )
  if (found === undefined)
    throw errors.transaction_not_found({ param: transactionParam(request.transaction) })
  return found
}
