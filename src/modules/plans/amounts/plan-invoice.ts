import type { Instant } from '#kernel/clock'
import type { IssuedInvoice, OrderToInvoice } from '#modules/invoices'
import type { NewLineItem, NewOrder } from '#modules/payments'
import { type Plan, sendsInvoices } from '../model/plan.ts'
import { newOrderOf } from './period-order.ts'
import type { BilledLines } from './order-lines.ts'

/** Of an order that is about to be made, or was made before its invoice. */
interface LinesToInvoice extends Pick<BilledLines, 'tax' | 'total'> {
  readonly lines: readonly Omit<NewLineItem, 'purchasableType' | 'purchaseId'>[]
}

/** Empty for a plan without a legal entity. */
export function orderToInvoice(
  { id, customerUuid, invoicing }: Plan,
  { orderId, lines }: { readonly orderId: string; readonly lines: LinesToInvoice },
  at: Instant,
): OrderToInvoice[] {
  if (invoicing === null) return []
  const { legalEntityId, series, collection, daysUntilDue, buyerReference, purchaseOrder } = invoicing
  const { tax, total } = lines
  return [
    {
      orderId,
      planId: id,
      customerUuid,
      lines: lines.lines.map((line) => ({ ...line, purchasableType: 'Charge', purchaseId: null })),
      total,
      tax,
      legalEntityId,
      series,
      collection,
      daysUntilDue,
      ...(buyerReference !== undefined && { buyerReference }),
      ...(purchaseOrder !== undefined && { purchaseOrder }),
      at,
    },
  ]
}

export function invoicedOrder(
  plan: Plan,
  bill: Parameters<typeof newOrderOf>[1],
  suffix: number,
  at: Instant,
  invoice: IssuedInvoice | undefined,
): NewOrder {
  const order = newOrderOf(plan, bill, suffix, at)
  if (invoice === undefined) return order
  const { id, number, dueDate } = invoice
  return { ...order, invoice: { id, number }, dueDate: sendsInvoices(plan) ? dueDate : null }
}
