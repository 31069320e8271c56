import type { Instant } from '#kernel/clock'
import { paymentErrors, type PaidOrder, type Transaction } from '#modules/payments'
import { requireOpen } from '#modules/taxes'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { BankTransfersContext } from '../context.ts'
import type { NewRepayment } from '../model/by-hand-requests.ts'
import { readPositive, readValueDate } from './requests.ts'

export interface RecordedRepayment extends PaidOrder {
  readonly at: Instant
  readonly refunds: readonly Transaction[]
}

/** Records money that was given back outside: a refund of each transfer and payment by hand that it takes. */
export function recordRepayment(
  ctx: BankTransfersContext,
  caller: Caller,
  orderId: string,
  request: NewRepayment,
): Promise<RecordedRepayment> {
  return once(ctx.db, caller, async (tx) => {
    const valueDate = await readValueDate(ctx, tx, request.value_date, 'repayment.value_date')
    await requireOpen(tx, valueDate, 'repayment.value_date')
    const orders = await ctx.payments.lockOrdersForTransfers(tx, [orderId])
    const order = orders.orders.get(orderId)
    if (order === undefined) throw paymentErrors.order_not_found()
    const refunds = await orders.repay(orderId, {
      amount:
        request.amount === undefined
          ? undefined
          : readPositive(order.currency, request.amount, 'repayment.amount'),
      paymentMethod: request.method,
      valueDate,
      reference: request.reference ?? null,
      note: request.note ?? null,
    })
    return { ...orders.read(orderId), at: tx.now, refunds }
  })
}
