import type { Tx } from '#platform/database'
import { newPayment } from './begin-charges.ts'
import type { FailedCharge, RecordedCharge } from './charge.ts'
import { acquirerShown } from './context.ts'
import type { PaymentsContext } from './context.ts'
import { isPayable } from './decide-payment.ts'
import { freeTotal, unpaidTotal } from './order.ts'
import { PaymentWork } from './payment-work.ts'
import { NO_ANSWER } from './transaction.ts'
import { byIds } from './order-selector.ts'

/**
 * Writes failed transactions without a call to the acquirer, such as `no_payment_token`. Undefined where the order is not
 * payable any more: nothing was written for that one.
 */
export async function recordFailedCharges(
  ctx: PaymentsContext,
  tx: Tx,
  charges: readonly FailedCharge[],
): Promise<(RecordedCharge | undefined)[]> {
  if (charges.length === 0) return []
  const acquirer = await acquirerShown(ctx, tx.businessId)
  const work = await PaymentWork.lock(ctx, tx, byIds([...new Set(charges.map((charge) => charge.orderId))]))
  const ids = charges.map((charge) => {
    const ledger = work.ledgers.get(charge.orderId)
    if (ledger === undefined || !isPayable(ledger.order, charge.at)) return undefined
    // An open order has something unpaid, if it is not all reserved.
    const wanted = freeTotal(ledger.order)
    const amount = wanted.isPositive() ? wanted : unpaidTotal(ledger.order)
    const { token = null, at } = charge
    const made = newPayment(ledger.order, { type: 'Sales', token, at }, amount, acquirer)
    const answer = {
      ...NO_ANSWER,
      responseCode: charge.responseCode,
      responseMessage: charge.message,
      failure: 'not_sent',
    } as const
    ledger.add({ ...made, state: 'failed', answer })
    ledger.tell('transaction.failed', at, made.id)
    return made.id
  })
  await work.save()
  return charges.map((charge, index) => {
    const id = ids[index]
    const ledger = work.ledgers.get(charge.orderId)
    if (id === undefined || ledger === undefined) return undefined
    return { order: ledger.order, transaction: ledger.transaction(id), transactions: ledger.transactions }
  })
}
