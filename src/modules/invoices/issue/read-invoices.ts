import type { Caller } from '#platform/caller'
import { filterCondition } from '#platform/filter/filter-condition'
import type { PageRequest } from '#platform/http/validation/list'
import type { InvoicesContext } from '../context.ts'
import { errors } from '../errors.ts'
import type { IssuedInvoice } from '../model/issued-invoice.ts'
import { findInvoice, INVOICE_FIELDS, listInvoices } from '../storage/invoice.repository.ts'

export async function invoiceById(ctx: InvoicesContext, caller: Caller, id: string): Promise<IssuedInvoice> {
  const invoice = await findInvoice(ctx.db, caller.businessId, id)
  if (invoice === undefined) throw errors.invoice_not_found()
  return invoice
}

export async function invoicesOfPage(
  ctx: InvoicesContext,
  { businessId }: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<IssuedInvoice[]> {
  const { timeZone } = await ctx.businesses.profile(businessId)
  const condition = filter === undefined ? undefined : filterCondition(filter, INVOICE_FIELDS, timeZone)
  return listInvoices(ctx.db, businessId, condition, request)
}
