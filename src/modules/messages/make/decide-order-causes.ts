import { isDerivedId } from '#kernel/ids'
import type { Order, OrderChange } from '#modules/payments'
import type { MessageCause } from '../model/message.ts'

type PaidOrder = Order & { readonly customerUuid: string }

export function isNowPaid(change: OrderChange): change is OrderChange & { readonly order: PaidOrder } {
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
export function declinedInvoice({ order, transactions, allTransactions, at }: OrderChange): MessageCause[] {
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

export function receiptOf(
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
