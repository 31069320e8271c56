import { leaseNow } from '#modules/acquirers'
import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import { joinIds } from '#platform/idempotency/idempotency'
import { readPositiveAmount } from '../model/amounts.ts'
import { answerOf, envelopeOf } from '../api/answer.ts'
import { type AcquirerResult, applyAnswer } from '../charges/apply-answer.ts'
import { beginVoid } from '../follow-ups/initiate-follow-up.ts'
import type { Reply } from '../charges/charge.ts'
import { acquirerOf, type PaymentsContext } from '../context.ts'
import { decideVoidTransaction } from './decide-void-transaction.ts'
import { errors } from '../api/errors.ts'
import { lockNamed, recordFollowUp } from '../follow-ups/follow-up.ts'
import { transactionSelector } from '../api/identifiers.ts'
import { investigate } from '../resolver/investigate.ts'
import type { Operation, UnderWay } from '../model/operation.ts'
import { claimOperations, findOperations } from '../storage/operation.repository.ts'
import type { OrderAggregate } from '../model/order-aggregate.ts'
import { PaymentWork } from '../storage/payment-work.ts'
import { sendFollowUp } from '../charges/perform.ts'
import { referenceTaken } from '../api/reference-id.ts'
import type { FollowUpRequestBody } from '../api/schemas.ts'
import type { Transaction } from '../model/transaction.ts'
import { byIds, type OrderSelector } from '../storage/order-selector.ts'

type Begun =
  | { readonly kind: 'answered'; readonly answer: object }
  | ({ readonly kind: 'begun' | 'resumed' } & UnderWay)

/**
 * POST transactions/void. Again answers the same; one whose outcome is not known is asked about first, and begun anew
 * when it never arrived. A `reference_id` is checked as anywhere, but a void makes no transaction that could carry it.
 */
export async function voidTransaction(
  ctx: PaymentsContext,
  caller: Caller,
  request: FollowUpRequestBody,
): Promise<object> {
  const { businessId } = caller
  const selector = transactionSelector(businessId, request.transaction)
  await acquirerOf(ctx, businessId)
  const begun = await ctx.db.transact(businessId, (tx) => begin(ctx, tx, caller, request, selector))
  if (begun.kind === 'answered') return begun.answer
  const { operation } = begun
  const send = (sent: UnderWay) => sendFollowUp(ctx, businessId, sent)
  if (begun.kind === 'begun') return recordFollowUp(ctx, businessId, operation, await send(begun))
  const answer = await investigate(ctx, businessId, begun)
  const anew = answer.kind === 'absent' ? await beginAnew(ctx, businessId, operation, answer) : null
  return anew === null
    ? recordFollowUp(ctx, businessId, operation, answer)
    : recordFollowUp(ctx, businessId, anew, await send({ ...begun, operation: anew }))
}

/**
 * The void that is asked for again never arrived, and cannot any more: it is recorded as such, and a new one begins.
 * Null when the order has changed since, so that what became of the first is all there is to say.
 */
async function beginAnew(
  ctx: PaymentsContext,
  businessId: string,
  { key, orderId, transactionId }: Operation,
  answer: AcquirerResult,
): Promise<Operation | null> {
  const { timeZone } = await ctx.businesses.profile(businessId)
  return ctx.db.transact(businessId, async (tx) => {
    const [work, operations] = await Promise.all([
      PaymentWork.lock(ctx, tx, byIds([orderId])),
      findOperations(tx, [key]),
    ])
    const lost = operations.get(key)
    const ledger = work.ledger(orderId)
    const { state, voiding } = ledger.order
    const isOpen = (state === 'open' || state === 'completed') && voiding === null
    const refused = decideVoidTransaction(ledger.transaction(transactionId), ledger.transactions, tx.now)
    if (lost === undefined || !isOpen || refused !== null) return null
    applyAnswer(work, { ...lost, idempotencyId: null, requestId: null }, answer, tx.now, timeZone)
    const reply = { idempotencyId: lost.idempotencyId, requestId: lost.requestId ?? '' }
    const operation = beginVoid(ledger, ledger.transaction(transactionId), {
      at: tx.now,
      status: 'sent',
      reply,
    })
    work.keep(operation)
    await work.save()
    return operation
  })
}

async function begin(
  ctx: PaymentsContext,
  tx: Tx,
  caller: Caller,
  request: FollowUpRequestBody,
  selector: OrderSelector,
): Promise<Begun> {
  const { work, ledger, transaction, reply, first } = await lockNamed(ctx, tx, caller, request, selector)
  checkWhole(transaction, request)
  if (transaction.state === 'voided') {
    const { order, transactions } = ledger
    const answer = answerOf('done', { order, transactions, transaction, at: tx.now })
    work.answer(reply.idempotencyId, 200, () => envelopeOf(answer, reply.requestId))
    await work.save()
    return { kind: 'answered', answer }
  }
  if (first !== null) throw referenceTaken('reference_id', first)
  const operation = await beginOrResume(tx, work, ledger, transaction, request, reply)
  await work.save()
  const kind = transaction.voidPending ? 'resumed' : 'begun'
  return { kind, operation, transaction, at: tx.now }
}

async function beginOrResume(
  tx: Tx,
  work: PaymentWork,
  ledger: OrderAggregate,
  transaction: Transaction,
  request: FollowUpRequestBody,
  reply: Reply,
): Promise<Operation> {
  if (transaction.voidPending && transaction.voidKey !== null) {
    const [operation] = await claimOperations(tx, [transaction.voidKey], leaseNow())
    // Someone is at it at this moment.
    if (operation === undefined) throw errors.payment_in_progress()
    const idempotencyId = joinIds(operation.idempotencyId, reply.idempotencyId)
    const resumed = reply.idempotencyId === null ? operation : { ...operation, ...reply, idempotencyId }
    const status = resumed.status === 'queued' ? 'sent' : resumed.status
    work.keep({ ...resumed, status })
    return resumed
  }
  if (ledger.order.voiding !== null) throw errors.payment_in_progress()
  const refused = decideVoidTransaction(transaction, ledger.transactions, tx.now)
  if (refused !== null) throw errors[refused]()
  if (request.note !== undefined) ledger.change(transaction.id, { note: request.note }, tx.now)
  const operation = beginVoid(ledger, transaction, { at: tx.now, status: 'sent', reply })
  work.keep(operation)
  return operation
}

/** A void is of the whole amount. */
function checkWhole(transaction: Transaction, request: FollowUpRequestBody): void {
  const amount = readPositiveAmount(transaction.currency, request.amount, 'amount')
  if (amount === undefined || amount.equals(transaction.amount)) return
  throw errors.amount_invalid({
    param: 'amount',
    message: `A void is of the whole amount, ${transaction.amount.toString()}.`,
  })
}
