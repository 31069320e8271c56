import type { Instant } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { InvoiceView } from '#modules/invoices'
import { paymentErrors, type PaidOrder } from '#modules/payments'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { BankTransfersContext } from '../context.ts'
import { errors } from '../errors.ts'
import { insertWriteOffs } from '../storage/write-off.repository.ts'
import type { WriteOffRequest } from '../model/by-hand-requests.ts'
import { readPositive, requireOpenToday } from './requests.ts'

export interface WrittenOff extends PaidOrder {
  readonly at: Instant
  readonly invoice: InvoiceView
}

/** Gives up what is left of an open invoice, or a part of it: no credit note, and the tax stays. */
export function writeOff(
  ctx: BankTransfersContext,
  caller: Caller,
  id: string,
  { amount: given, reason }: WriteOffRequest,
): Promise<WrittenOff> {
  return once(ctx.db, caller, async (tx) => {
    const invoice = await ctx.invoices.requirePayable(tx, id)
    await requireOpenToday(ctx, tx)
    const { orderId, customerUuid } = invoice
    const orders = await ctx.payments.lockOrdersForTransfers(tx, [orderId])
    const order = orders.orders.get(orderId)
    const due = order?.invoice?.id === id ? orders.dueOf(orderId) : undefined
    if (due === undefined || !due.isPositive()) throw errors.nothing_due()
    const amount = given === undefined ? due : readPositive(due.currency, given, 'amount')
    if (amount.greaterThan(due))
      throw paymentErrors.amount_too_large({
        param: 'amount',
        message: `amount must be at most ${due.toString()}, what is due of the invoice.`,
      })
    await orders.writeOff(orderId, amount)
    await insertWriteOffs(tx, [
      { id: newId('wof'), orderId, invoiceId: id, customerUuid, amount, reason, transactionId: null },
    ])
    return { ...orders.read(orderId), at: tx.now, invoice: await ctx.invoices.view(tx, id) }
  })
}
