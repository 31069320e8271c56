import type { Tx } from '#platform/postgres/database'
import { newPayment } from './initiate-charges.ts'
import type { FailedCharge, RecordedFailure } from './charge.ts'
import { acquirerShown, type PaymentsContext } from '../context.ts'
import { decidePayment } from './decide-payment.ts'
import { unpaidTotal } from '../model/order.ts'
import type { OrderChangeOrigin } from '../model/order-change.ts'
import { PaymentWork } from '../storage/payment-work.ts'
import { NO_ANSWER } from '../model/transaction.ts'
import { byIds } from '../storage/order-selector.ts'

/**
 * Writes failed transactions without a call to the acquirer, such as `no_payment_token`; refused as a charge of the same
 * amount would be. Locks the orders in id order.
 */
export async function recordFailedCharges(
  ctx: PaymentsContext,
  tx: Tx,
  charges: readonly FailedCharge[],
  origin?: OrderChangeOrigin,
): Promise<RecordedFailure[]> {
  if (charges.length === 0) return []
  const acquirer = await acquirerShown(ctx, tx.businessId)
  const work = await PaymentWork.lock(ctx, tx, byIds([...new Set(charges.map((charge) => charge.orderId))]))
  const decided = charges.map((charge) => {
    const { orderId, token = null, at } = charge
    const ledger = work.ledgers.get(orderId)
    if (ledger === undefined) return { ok: false, reason: 'order_not_found', orderId } as const
    const decision = decidePayment(ledger.order, unpaidTotal(ledger.order), at)
    if (!decision.ok) return { ok: false, reason: decision.reason, orderId } as const
    const made = newPayment(ledger.order, { type: 'Sales', token, at }, decision.amount, acquirer)
    const answer = {
      ...NO_ANSWER,
      responseCode: charge.responseCode,
      responseMessage: charge.message,
      failure: 'not_sent',
    } as const
    ledger.add({ ...made, state: 'failed', answer })
    ledger.recordEvent('transaction.failed', at, made.id)
    return { ok: true, ledger, id: made.id } as const
  })
  await work.save(origin)
  return decided.map((one) => {
    if (!one.ok) return one
    const { order, transactions } = one.ledger
    return { ok: true, failed: { order, transaction: one.ledger.transaction(one.id), transactions } }
  })
}
