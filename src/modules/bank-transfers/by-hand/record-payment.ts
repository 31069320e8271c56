import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import type { InvoiceView } from '#modules/invoices'
import { paymentErrors, type PaidOrder } from '#modules/payments'
import { requireOpen } from '#modules/taxes'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { BankTransfersContext } from '../context.ts'
import { errors } from '../errors.ts'
import type { NewPayment } from '../model/by-hand-requests.ts'
import { readPositive, readValueDate } from './requests.ts'

export interface RecordedPayment extends PaidOrder {
  readonly at: Instant
  readonly invoice: InvoiceView
  readonly transactionId: string
}

/** Records money that came for an invoice by hand. It counts with what the bank kept of it. */
export function recordPayment(
  ctx: BankTransfersContext,
  caller: Caller,
  id: string,
  request: NewPayment,
): Promise<RecordedPayment> {
  return once(ctx.db, caller, async (tx) => {
    const invoice = await ctx.invoices.requirePayable(tx, id)
    const { orderId } = invoice
    const valueDate = await readValueDate(ctx, tx, request.value_date, 'payment.value_date')
    await requireOpen(tx, valueDate, 'payment.value_date')
    const orders = await ctx.payments.lockOrdersForTransfers(tx, [orderId])
    const order = orders.orders.get(orderId)
    const isOfOrder = order?.invoice?.id === id
    if (order === undefined || !isOfOrder || !orders.takesMoney(orderId))
      throw paymentErrors.order_not_payable({
        message: `Invoice ${invoice.number} takes no payments: its order is ${order?.state ?? 'missing'}.`,
      })
    const amounts = readAmounts(request, order.currency, orders.dueOf(orderId))
    const [booked] = await orders.book([
      {
        orderId,
        ...amounts,
        paymentMethod: request.method,
        recordedBy: 'manual',
        valueDate,
        reference: request.reference ?? null,
        note: request.note ?? null,
      },
    ])
    if (booked === undefined) throw new Error(`invoice ${id} was not paid`)
    const { transactionId } = booked
    return { ...orders.read(orderId), at: tx.now, invoice: await ctx.invoices.view(tx, id), transactionId }
  })
}

/** - `amount`: With the fee, because the payer has paid it, too. */
function readAmounts(
  request: NewPayment,
  currency: string,
  due: Money | undefined,
): { readonly amount: Money; readonly fee?: Money } {
  const fee = request.fee === undefined ? undefined : readPositive(currency, request.fee, 'payment.fee')
  if (request.amount !== undefined) {
    const arrived = readPositive(currency, request.amount, 'payment.amount')
    return fee === undefined ? { amount: arrived } : { amount: arrived.plus(fee), fee }
  }
  if (due === undefined || !due.isPositive()) throw errors.nothing_due()
  if (fee === undefined) return { amount: due }
  if (fee.lessThan(due)) return { amount: due, fee }
  throw paymentErrors.amount_invalid({
    param: 'payment.fee',
    message: `payment.fee must be less than what is due, ${due.toString()}.`,
  })
}
