import { isDerivedId } from '#kernel/ids'
import type { OrderChange, Order } from '#modules/payments'
import type { Tx } from '#platform/postgres/database'
import type { MessagesContext } from '../context.ts'
import type { MessageCause } from '../model/message.ts'
import { objectsWithMessage } from '../storage/message.repository.ts'
import { createMessages } from './create-messages.ts'

type PaidOrder = Order & { readonly customerUuid: string }

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

function isNowPaid(change: OrderChange): change is OrderChange & { readonly order: PaidOrder } {
  const { before, order } = change
  return (
    order.state === 'completed' &&
    before?.state !== 'completed' &&
    order.customerUuid !== null &&
    order.initialTotal.isPositive() &&
    order.paidTotal.isPositive()
  )
}

/** Only attempts that the service makes by itself have derived ids. */
function declinedInvoice({ order, transactions, allTransactions, at }: OrderChange): MessageCause[] {
  const { id: orderId, invoice, customerUuid, planId, state } = order
  if (invoice === null || customerUuid === null || planId !== null || state !== 'open') return []
  const failed = transactions.find(
    ({ before, transaction: { id, state: now } }) =>
      now === 'failed' &&
      before?.state !== 'failed' &&
      isDerivedId(id) &&
      !allTransactions.some(({ fallbackOf }) => fallbackOf === id),
  )
  if (failed === undefined) return []
  const transactionId = failed.transaction.id
  return [
    invoiceOf({ id: orderId, customerUuid }, invoice.id, { at }),
    {
      kind: 'payment_failed',
      objectId: orderId,
      cause: transactionId,
      customerUuid,
      facts: { transactionId, nextAttemptAt: null },
      at,
    },
  ]
}

function receiptOf(
  { order, transactions, allTransactions, at }: OrderChange & { readonly order: PaidOrder },
  invoiceId?: string,
): MessageCause {
  // An order that is paid again after its payment was reversed gets another receipt. Nearly all orders have one transaction, whose id
  // would be a tenth of what their messages write to the log (decisions/0091).
  const isFirst = allTransactions.length === 1
  const payment = transactions.findLast(
    ({ before, transaction }) => transaction.state === 'succeeded' && before?.state !== 'succeeded',
  )
  return {
    kind: 'receipt',
    objectId: order.id,
    cause: isFirst ? '' : (payment?.transaction.id ?? ''),
    customerUuid: order.customerUuid,
    facts: invoiceId === undefined ? {} : { variant: 'with_invoice', documentId: invoiceId },
    ...(invoiceId !== undefined && { documentIds: [invoiceId] }),
    at,
  }
}

export function invoiceOf(
  { id, customerUuid }: Pick<PaidOrder, 'id' | 'customerUuid'>,
  invoiceId: string,
  { at }: Pick<MessageCause, 'at'>,
): MessageCause {
  return {
    kind: 'invoice',
    objectId: invoiceId,
    cause: '',
    customerUuid,
    facts: { orderId: id, documentId: invoiceId },
    documentIds: [invoiceId],
    at,
  }
}
