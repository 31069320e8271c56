import type { Instant } from '#kernel/clock'
import { errorOf } from '#kernel/errors'
import { paymentErrors, type PaidOrder } from '#modules/payments'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { BankTransfersContext } from '../context.ts'
import { errors } from '../errors.ts'
import { requireOpenToday } from './requests.ts'

export interface MovedOverpayment extends PaidOrder {
  readonly at: Instant
}

/** Makes what is over-paid of an order credit of a plan. Locks the order, then the plan. */
export function moveOverpayment(
  ctx: BankTransfersContext,
  caller: Caller,
  orderId: string,
  planId: string,
): Promise<MovedOverpayment> {
  return once(ctx.db, caller, async (tx) => {
    await requireOpenToday(ctx, tx)
    const orders = await ctx.payments.lockOrdersForTransfers(tx, [orderId])
    const order = orders.orders.get(orderId)
    if (order === undefined) throw paymentErrors.order_not_found()
    const amount = await orders.moveToCredit(orderId)
    const [invoice] = await ctx.invoices.findPayableInvoices(tx, [order.invoice?.id ?? ''])
    const customerUuid = order.customerUuid ?? invoice?.customerUuid ?? ''
    const note = order.referenceNumber
    for (const addMovedCredit of ctx.movedCreditHandlers) {
      const refused = await addMovedCredit(tx, { planId, orderId, customerUuid, amount, note, at: tx.now })
      if (refused !== null) throw errorOf(errors, refused)
    }
    return { ...orders.read(orderId), at: tx.now }
  })
}
