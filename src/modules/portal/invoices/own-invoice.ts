import { type InvoiceView, invoiceErrors, isDraft } from '#modules/invoices'
import type { PageRequest } from '#platform/http/validation/list'
import type { PortalContext, Visitor } from '../context.ts'

/** Another customer's document, and a draft, is as absent as one that does not exist. */
export async function requireOwnInvoice(
  ctx: PortalContext,
  { caller, customerUuid }: Visitor,
  id: string,
): Promise<InvoiceView> {
  const invoice = await ctx.invoices.byId(caller, id)
  if (isDraft(invoice) || invoice.buyer.customerUuid !== customerUuid) throw invoiceErrors.invoice_not_found()
  return invoice
}

export function invoicesOf(
  ctx: PortalContext,
  { caller, customerUuid }: Visitor,
  request: PageRequest,
): ReturnType<PortalContext['invoices']['ofPage']> {
  return ctx.invoices.ofPage(caller, `customer.uuid = "${customerUuid}" AND NOT state = draft`, request)
}
