import type { Caller } from '#platform/caller'
import type { InvoicesContext } from '../context.ts'
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
  const payable = drawn.filter(({ type, amountDue }) => type === 'invoice' && amountDue.isPositive())
  const links = await paymentLinks(
    ctx,
    businessId,
    payable.map(({ orderNumber }) => orderNumber),
  )
  return ({ orderNumber, buyer }) => ({
    language: buyer.language ?? 'en',
    timeZone,
    isTest: environment === 'test',
    logo,
    paymentLink: links.get(orderNumber) ?? null,
  })
}

async function paymentLinks(
  ctx: InvoicesContext,
  businessId: string,
  orderNumbers: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const links = new Map<string, string>()
  if (orderNumbers.length === 0) return links
  await ctx.db.transact(businessId, async (tx) => {
    for (const [number, { order }] of await ctx.payments.findOrders(tx, orderNumbers)) {
      const link = await ctx.payments.paymentLink(businessId, order, tx.now)
      if (link !== undefined) links.set(number, link)
    }
  })
  return links
}
