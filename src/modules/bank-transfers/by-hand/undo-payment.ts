import type { Instant } from '#kernel/clock'
import { isByHand, paymentErrors, type PaidOrder } from '#modules/payments'
import type { InvoiceView } from '#modules/invoices'
import { requireOpen } from '#modules/taxes'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { BankTransfersContext } from '../context.ts'
import { errors } from '../errors.ts'
import { creditedBeyondDue } from '../returns/decide-undone.ts'

export interface UndonePayment extends PaidOrder {
  readonly at: Instant
  readonly invoice: InvoiceView | undefined
  readonly transactionId: string
}

/** Takes back a payment or a repayment by hand that was a mistake. One that was undone before stays as it is. */
export function undoPayment(
  ctx: BankTransfersContext,
  caller: Caller,
  transactionId: string,
): Promise<UndonePayment> {
  return once(ctx.db, caller, async (tx) => {
    const found = (await ctx.payments.transactions(tx, [transactionId])).get(transactionId)
    if (found === undefined) throw paymentErrors.transaction_not_found()
    if (!isByHand(found)) throw errors.not_by_hand()
    const { orderId, type, valueDate } = found
    if (valueDate !== null) await requireOpen(tx, valueDate)
    const orders = await ctx.payments.lockOrdersForTransfers(tx, [orderId])
    const before = orders.read(orderId)
    const invoiceId = before.order.invoice?.id
    const { state } = before.transactions.find(({ id }) => id === transactionId) ?? found
    if (state === 'succeeded') {
      const invoices =
        type === 'Refund' || invoiceId === undefined
          ? []
          : await ctx.invoices.findPayableInvoices(tx, [invoiceId])
      if (creditedBeyondDue(orders, invoices).size > 0) throw paymentErrors.payment_in_use()
      await orders.undo([{ orderId, transactionId, note: null, returnedOn: null }])
    }
    const invoice = invoiceId === undefined ? undefined : await ctx.invoices.view(tx, invoiceId)
    return { ...orders.read(orderId), at: tx.now, invoice, transactionId }
  })
}
