import { isChargeable } from '#modules/customers'
import type { IssuedInvoice } from '#modules/invoices'
import type { Tx } from '#platform/postgres/database'
import type { MessagesContext } from '../context.ts'
import type { MessageCause } from '../model/message.ts'
import { createMessages } from './create-messages.ts'
import { invoiceOf } from './decide-order-causes.ts'

/**
 * An invoice is mailed at its issue, unless a card is about to pay it: then the message is written with the receipt, or when
 * the attempt fails. A credit note is always mailed at its issue.
 */
export async function handleIssued(
  ctx: MessagesContext,
  tx: Tx,
  documents: readonly IssuedInvoice[],
): Promise<void> {
  const { enabled } = await ctx.settingsOf(tx.businessId)
  const wanted = documents.filter(({ type, total }) => enabled.includes(type) && total.isPositive())
  if (wanted.length === 0) return
  const toCollect = wanted.filter(isCollected).map(({ buyer }) => buyer.customerUuid)
  const tokens = toCollect.length === 0 ? undefined : await ctx.customers.defaultTokens(tx, toCollect)
  const causes = wanted.flatMap((document): MessageCause[] => {
    const { id, type, createdAt: at, buyer, orderNumber } = document
    if (type === 'invoice') {
      const token = isCollected(document) ? tokens?.get(buyer.customerUuid) : undefined
      const waitsForCard = token !== undefined && isChargeable(token, at)
      return waitsForCard
        ? []
        : [invoiceOf({ id: orderNumber, customerUuid: buyer.customerUuid }, id, { at })]
    }
    return [
      {
        kind: 'credit_note',
        objectId: id,
        cause: '',
        customerUuid: buyer.customerUuid,
        facts: { orderId: orderNumber, documentId: id },
        documentIds: [id],
        at,
      },
    ]
  })
  await createMessages(ctx, tx, causes)
}

/** Whether a card is to pay it: only invoices that are sent for payment have a time at which they become overdue. */
function isCollected({ type, state, overdueAt }: IssuedInvoice): boolean {
  return type === 'invoice' && state === 'open' && overdueAt === null
}
