import type { Tx } from '#platform/postgres/database'
import type { FailedCharge, RefusedCharge } from '../model/charge.ts'
import { NO_ACCOUNT } from '../charges/choose-account.ts'
import { routerOf, type PaymentsContext } from '../context.ts'
import { decidePayment } from '../model/decide-amount.ts'
import { dueTotal } from '../model/order.ts'
import type { OrderChangeOrigin } from '../model/order-change.ts'
import { NO_RESPONSE } from '../model/transaction.ts'
import type { TransactionSnapshot } from '../model/payment-result.ts'
import { newPayment } from '../charges/new-payment.ts'
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
): Promise<(Omit<TransactionSnapshot, 'at'> | RefusedCharge)[]> {
  if (charges.length === 0) return []
  const { first } = await routerOf(ctx, tx.businessId)
  const orderIds = new Set(charges.map((charge) => charge.orderId))
  const unit = await PaymentUnitOfWork.lock(ctx, tx, byIds([...orderIds]))
  const failed = charges.map((charge): RefusedCharge | (() => Omit<TransactionSnapshot, 'at'>) => {
    const { orderId, token = null, at } = charge
    const aggregate = unit.aggregates.get(orderId)
    if (aggregate === undefined) return { refused: 'order_not_found', orderId }
    const { order } = aggregate
    const decision = decidePayment(order, dueTotal(order), at)
    if ('refused' in decision) return { ...decision, orderId }
    const payment = newPayment(order, { type: 'Sales', token, at }, decision.amount, first ?? NO_ACCOUNT)
    const answer = {
      ...NO_RESPONSE,
      responseCode: charge.responseCode,
      responseMessage: charge.message,
      failure: 'not_sent',
    } as const
    aggregate.add({ ...payment, state: 'failed', answer })
    aggregate.recordEvent('transaction.failed', at, payment.id)
    return () => {
      const { order: current, transactions } = aggregate
      return { order: current, transactions, transaction: aggregate.transaction(payment.id) }
    }
  })
  await unit.save(origin)
  return failed.map((one) => (typeof one === 'function' ? one() : one))
}
