import type { RequestError } from '#kernel/errors'
import { customerErrors, type PaymentToken, whyNotChargeable } from '#modules/customers'
import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import { claimIdempotencyKey } from '#platform/idempotency/idempotency'
import { readPositiveAmount } from '../model/amounts.ts'
import { answerOf, answerOrThrow } from '../api/answer.ts'
import { beginLockedCharges, type LockedCharges } from './initiate-charges.ts'
import type { ChargeRefusal } from './charge.ts'
import { acquirerOf, type PaymentsContext } from '../context.ts'
import { errors } from '../api/errors.ts'
import { orderParam, orderSelector } from '../api/identifiers.ts'
import { lockOrders } from '../storage/order.repository.ts'
import type { Order } from '../model/order.ts'
import { performCharge } from './perform.ts'
import { recordOutcomes } from './record-answers.ts'
import { recordForCaller } from './record-for-caller.ts'
import { referenceTaken, refuseTakenReference } from '../api/reference-id.ts'
import type { PayOrderRequest } from '../api/schemas.ts'
import { findByReference } from '../storage/transaction.repository.ts'
import type { OrderSelector } from '../storage/order-selector.ts'

const REFERENCE_PARAM = 'transaction.reference_id'

/**
 * POST orders/pay. The charge is reserved and committed, then sent, then its outcome is committed. A crash in between leaves
 * the operation to the resolver, which also keeps the answer of the caller's Idempotency-Key.
 */
export async function payOrder(
  ctx: PaymentsContext,
  caller: Caller,
  request: PayOrderRequest,
): Promise<object> {
  const { businessId } = caller
  const { reference_id: reference } = request.transaction
  const selector = orderSelector(request.order)
  // 503 before anything is written, where there is no acquirer.
  await acquirerOf(ctx, businessId)
  const { begun } = await ctx.db
    .transact(businessId, (tx) => begin(ctx, tx, caller, request, selector))
    .catch((error: unknown) => refuseTakenReference(ctx, businessId, reference, REFERENCE_PARAM, error))
  const [first] = await begun
  if (first?.ok !== true) throw new Error('a charge was lost')
  const { charge } = first
  const outcome = await performCharge(ctx, charge)
  const answer = await recordForCaller(() =>
    ctx.db.transact(businessId, async (tx) => {
      const [recorded] = await recordOutcomes(ctx, tx, [{ charge, outcome, at: tx.now }])
      if (recorded === undefined) throw new Error('a charge was lost')
      const { responseCode } = recorded.transaction.answer
      return answerOf(recorded.verdict, { ...recorded, at: tx.now }, responseCode)
    }),
  )
  return answerOrThrow(answer)
}

async function begin(
  ctx: PaymentsContext,
  tx: Tx,
  caller: Caller,
  request: PayOrderRequest,
  selector: OrderSelector,
): Promise<LockedCharges> {
  const { transaction } = request
  const idempotencyId = await claimIdempotencyKey(tx, caller)
  const [orders, tokens, first] = await Promise.all([
    lockOrders(tx, selector),
    ctx.customers.findTokens(tx, [transaction.payment_token]),
    transaction.reference_id === undefined ? null : findByReference(tx, transaction.reference_id),
  ])
  const [order] = orders
  if (order === undefined) throw errors.order_not_found({ param: orderParam(request.order) })
  if (first !== null) throw referenceTaken(REFERENCE_PARAM, first)
  const charges = await beginLockedCharges(ctx, tx, orders, [
    {
      orderId: order.id,
      type: transaction.type,
      token: chargeableToken(order, tokens.get(transaction.payment_token), tx),
      payerPresent: true,
      referenceId: transaction.reference_id ?? null,
      reply: { idempotencyId, requestId: caller.requestId },
      at: tx.now,
      amount: readPositiveAmount(order.currency, transaction.amount, 'transaction.amount'),
    },
  ])
  const [reserved] = charges.reserved
  if (reserved?.ok === false) throw refusal(reserved.reason, order)
  return charges
}

/** An order with a customer takes only that customer's active tokens; one without takes any of the business's. */
function chargeableToken(order: Order, token: PaymentToken | undefined, tx: Tx): PaymentToken {
  const param = 'transaction.payment_token'
  if (token === undefined) throw customerErrors.payment_token_not_found({ param })
  if (order.customerUuid !== null && token.customerUuid !== order.customerUuid) {
    throw errors.payment_token_of_another_customer({ param })
  }
  const why = whyNotChargeable(token, tx.now)
  if (why === null) return token
  const message =
    why === 'payment_token_expired' ? 'The card has expired.' : 'The payment token is not active.'
  throw errors.payment_token_not_chargeable({ param, message })
}

function refusal(reason: ChargeRefusal, order: Order): RequestError {
  switch (reason) {
    case 'order_not_found':
      return errors.order_not_found()
    case 'order_not_payable':
      return errors.order_not_payable({ message: `The order cannot be paid: it is ${whyNotPayable(order)}.` })
    case 'amount_too_large':
      return errors.amount_too_large({
        param: 'transaction.amount',
        message: 'transaction.amount is more than the unpaid total.',
      })
    case 'payment_in_progress':
      return errors.payment_in_progress()
  }
}

function whyNotPayable(order: Order): string {
  if (order.state === 'completed')
    return order.paidTotal.lessThan(order.initialTotal) ? 'partly refunded' : 'paid'
  if (order.state !== 'open') return order.state
  return order.voiding === null ? 'expired' : 'being voided'
}
