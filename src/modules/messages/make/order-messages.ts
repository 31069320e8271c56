import type { OrderChange } from '#modules/payments'
import type { Tx } from '#platform/postgres/database'
import type { MessagesContext } from '../context.ts'
import type { MessageCause } from '../model/message.ts'
import { objectsWithMessage } from '../storage/message.repository.ts'
import { createMessages } from './create-messages.ts'
import { declinedInvoice, invoiceOf, isNowPaid, receiptOf } from './decide-order-causes.ts'

/**
 * An order that has just been paid gets its receipt, and its invoice where that waited for the card. A one-off invoice whose card
 * was declined goes out with the reason; the attempts of plans are known to the plans.
 */
export async function handleOrderChanges(
  ctx: MessagesContext,
  tx: Tx,
  changes: readonly OrderChange[],
): Promise<void> {
  const paid = changes.filter(isNowPaid)
  const declined = changes.flatMap(declinedInvoice)
  if (declined.length > 0) await createMessages(ctx, tx, declined)
  if (paid.length === 0) return
  const { enabled, joinReceipt } = await ctx.settingsOf(tx.businessId)
  if (!enabled.includes('receipt') && !enabled.includes('invoice')) return
  const joins = joinReceipt && enabled.includes('receipt') && enabled.includes('invoice')
  const invoiceIds = paid.flatMap(({ order }) => order.invoice?.id ?? [])
  const invoiced = joins ? await objectsWithMessage(tx, 'invoice', invoiceIds) : new Set<string>()
  const causes = paid.flatMap((change): MessageCause[] => {
    const { invoice } = change.order
    if (invoice === null) return [receiptOf(change)]
    if (!joins) return [receiptOf(change), invoiceOf(change.order, invoice.id, change)]
    return [invoiced.has(invoice.id) ? receiptOf(change) : receiptOf(change, invoice.id)]
  })
  await createMessages(ctx, tx, causes)
}
