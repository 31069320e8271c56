import type { RequestError } from '#kernel/errors'
import type { ExactNumber } from '#kernel/json'
import { customerErrors, type PaymentToken, whyNotChargeable } from '#modules/customers'
import type { Caller } from '#platform/caller'
import { claimIdempotencyKey } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import { errors } from '../errors.ts'
import { type OrderIdentifiers, orderParam, orderSelector } from '../requests/identifiers.ts'
import { referenceTaken, refuseTakenReference } from '../requests/reference-id.ts'
import type { Charge, ChargeRefusal, NewCharge } from './charge.ts'
import { requireAcquirer, type PaymentsContext } from '../context.ts'
import { initiateLockedCharges } from './initiate-charges.ts'
import { readPositiveAmount } from '../requests/amounts.ts'
import { dueTotal, type Order } from '../model/order.ts'
import type { PaymentResult } from '../outcomes/payment-result.ts'
import { performForCaller } from '../operations/record-for-caller.ts'
import { lockAggregates, PaymentUnitOfWork } from '../storage/payment-unit-of-work.ts'
import { findByReference } from '../storage/transaction.repository.ts'

const REFERENCE_PARAM = 'transaction.reference_id'

export interface PayOrderRequest {
  readonly order: OrderIdentifiers
  readonly transaction: {
    readonly type: NewCharge['type']
    readonly amount?: number | ExactNumber
    readonly payment_token: string
    readonly reference_id?: string
  }
}

export async function payOrder(
  ctx: PaymentsContext,
  caller: Caller,
  request: PayOrderRequest,
): Promise<PaymentResult> {
  return performForCaller(ctx, await initiate(ctx, caller, request))
}

async function initiate(ctx: PaymentsContext, caller: Caller, request: PayOrderRequest): Promise<Charge> {
  const { businessId } = caller
  const { transaction } = request
  const selector = orderSelector(request.order)
  await requireAcquirer(ctx, businessId)
  return ctx.db
    .transact(businessId, async (tx) => {
      const idempotencyId = await claimIdempotencyKey(tx, caller)
      const [[aggregate], tokens, existing] = await Promise.all([
        lockAggregates(tx, selector),
        ctx.customers.findTokens(tx, [transaction.payment_token]),
        transaction.reference_id === undefined ? null : findByReference(tx, transaction.reference_id),
      ])
      if (aggregate === undefined) throw errors.order_not_found({ param: orderParam(request.order) })
      if (existing !== null) throw referenceTaken(REFERENCE_PARAM, existing)
      const { order } = aggregate
      const [initiated] = await initiateLockedCharges(ctx, new PaymentUnitOfWork(ctx, tx, [aggregate]), [
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
      if (initiated === undefined) throw new Error(`order ${order.id} has no charge`)
      if ('reason' in initiated) throw refusal(initiated.reason, order)
      return initiated
    })
    .catch((error: unknown) =>
      refuseTakenReference(ctx, businessId, transaction.reference_id, REFERENCE_PARAM, error),
    )
}

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
        message: 'transaction.amount must not exceed the unpaid total.',
      })
    case 'payment_in_progress':
      return errors.payment_in_progress()
    case 'no_account_for_payment':
      return errors.no_account_for_payment({ param: 'transaction.payment_token' })
  }
}

function whyNotPayable(order: Order): string {
  if (order.state === 'completed') return dueTotal(order).isPositive() ? 'partly refunded' : 'paid'
  if (order.state !== 'open') return order.state
  return order.voiding === null ? 'expired' : 'being voided'
}
