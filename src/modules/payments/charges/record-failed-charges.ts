import type { Tx } from '#platform/postgres/database'
import type { FailedCharge, RecordedFailure } from './charge.ts'
import { NO_ACCOUNT } from './choose-account.ts'
import { routerOf, type PaymentsContext } from '../context.ts'
import { decidePayment } from './decide-payment.ts'
import { unpaidTotal } from '../model/order.ts'
import type { OrderChangeOrigin } from '../model/order-change.ts'
import { NO_ANSWER } from '../model/transaction.ts'
import { newPayment } from './new-payment.ts'
import { byIds } from '../storage/order-selector.ts'
import { PaymentUnitOfWork } from '../storage/payment-unit-of-work.ts'

/**
 * Writes failed transactions without a call to the acquirer, such as `no_payment_token`. A charge of the same amount would
 * be refused for the same reasons. Locks the orders in the order of their ids.
 */
export async function recordFailedCharges(
  ctx: PaymentsContext,
  tx: Tx,
  charges: readonly FailedCharge[],
  origin?: OrderChangeOrigin,
): Promise<RecordedFailure[]> {
  if (charges.length === 0) return []
  const { first } = await routerOf(ctx, tx.businessId)
  const orderIds = new Set(charges.map((charge) => charge.orderId))
  const unit = await PaymentUnitOfWork.lock(ctx, tx, byIds([...orderIds]))
  const decided = charges.map((charge) => {
    const { orderId, token = null, at } = charge
    const aggregate = unit.aggregates.get(orderId)
    if (aggregate === undefined) return { ok: false, reason: 'order_not_found', orderId } as const
    const { order } = aggregate
    const decision = decidePayment(order, unpaidTotal(order), at)
    if (!decision.ok) return { ok: false, reason: decision.reason, orderId } as const
    const payment = newPayment(order, { type: 'Sales', token, at }, decision.amount, first ?? NO_ACCOUNT)
    const answer = {
      ...NO_ANSWER,
      responseCode: charge.responseCode,
      responseMessage: charge.message,
      failure: 'not_sent',
    } as const
    aggregate.add({ ...payment, state: 'failed', answer })
    aggregate.recordEvent('transaction.failed', at, payment.id)
    return { ok: true, aggregate, id: payment.id } as const
  })
  await unit.save(origin)
  return decided.map((one) => {
    if (!one.ok) return one
    const { order, transactions } = one.aggregate
    return { ok: true, failed: { order, transaction: one.aggregate.transaction(one.id), transactions } }
  })
}
