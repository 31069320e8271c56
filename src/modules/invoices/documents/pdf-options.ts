import type { Caller } from '#platform/caller'
import type { InvoicesContext } from '../context.ts'
import { readPayers } from '../issue/read-payers.ts'
import type { Invoice } from '../model/invoice.ts'
import type { PdfOptions } from './pdf/invoice-texts.ts'

/** Returns how to draw the business's documents. Reads at once what `drawn` need; other documents get no logo and no link. */
export async function pdfOptions(
  ctx: InvoicesContext,
  { businessId, environment }: Pick<Caller, 'businessId' | 'environment'>,
  drawn: readonly Invoice[],
): Promise<(invoice: Invoice) => PdfOptions> {
  const { timeZone } = await ctx.businesses.profile(businessId)
  const logo = drawn.length === 0 ? null : ((await ctx.businesses.logo(businessId)) ?? null)
  const orders = await readOrders(
    ctx,
    businessId,
    drawn.filter(({ type }) => type === 'invoice'),
  )
  return ({ id, buyer }) => ({
    language: buyer.language ?? 'en',
    timeZone,
    isTest: environment === 'test',
    logo,
    paymentLink: orders.get(id)?.paymentLink ?? null,
    moved: orders.get(id)?.moved ?? [],
  })
}

type OrderOfInvoice = Pick<PdfOptions, 'paymentLink' | 'moved'>

/** By invoice. What was paid belongs to the invoice that the order has now, not to one that was replaced. */
async function readOrders(
  ctx: InvoicesContext,
  businessId: string,
  invoices: readonly Invoice[],
): Promise<ReadonlyMap<string, OrderOfInvoice>> {
  const found = new Map<string, OrderOfInvoice>()
  if (invoices.length === 0) return found
  await ctx.db.transact(businessId, async (tx) => {
    const numbers = [...new Set(invoices.map(({ orderNumber }) => orderNumber))]
    const orders = await ctx.payments.findOrders(tx, numbers)
    const payers = await readPayers(
      ctx,
      tx,
      [...orders.values()].flatMap(({ transactions }) => transactions),
    )
    for (const { id, orderNumber, amountDue } of invoices) {
      const paid = orders.get(orderNumber)
      if (paid === undefined) continue
      const link = amountDue.isPositive()
        ? await ctx.payments.paymentLink(businessId, paid.order, tx.now)
        : undefined
      const ofOrder = paid.order.invoice?.id === id ? paid.transactions : []
      const moved = ofOrder.map((one) => ({ ...one, payer: payers.get(one.id) }))
      found.set(id, { paymentLink: link ?? null, moved })
    }
  })
  return found
}
