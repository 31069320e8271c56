import type { Caller } from '#platform/caller'
import type { PageRequest } from '#platform/http/validation/list'
import { rendered } from '#platform/testing/requests'
import { renderCreditNoteData, renderInvoiceData, renderInvoicesPage } from '../api/render.ts'
import { overdueJob } from '../collect/overdue-job.ts'
import type { InvoicesContext } from '../context.ts'
import type { InvoicesDependencies } from '../dependencies.ts'
import { exportMonth } from '../documents/archive/month-archive.ts'
import { readDocument } from '../documents/read-document.ts'
import { createInvoice } from '../issue/create-invoice.ts'
import { invoiceById, invoicesOfPage } from '../issue/read-invoices.ts'
import { contextOf, useCasesOf } from '../module.ts'
import { createCreditNote } from '../notes/create-credit-note.ts'
import { searchInvoices } from '../storage/search.repository.ts'

export { RULES as INVOICE_RULES, verifyInvoices } from '../audit/verify.ts'
export { INVOICES_PERSONAL_DATA } from '../storage/personal-data.ts'

export function invoicesOf(deps: InvoicesDependencies) {
  const ctx = contextOf(deps)
  const bind =
    <Args extends unknown[], Result>(useCase: (ctx: InvoicesContext, ...args: Args) => Result) =>
    (...args: Args): Result =>
      useCase(ctx, ...args)
  return {
    ...useCasesOf(ctx),
    jobs: [overdueJob(ctx)],
    search: searchInvoices,
    create: rendered(bind(createInvoice), renderInvoiceData),
    get: rendered(bind(invoiceById), renderInvoiceData),
    document: bind(readDocument),
    exportMonth: bind(exportMonth),
    creditNote: rendered(bind(createCreditNote), renderCreditNoteData),
    page: async (caller: Caller, filter: string | undefined, request: PageRequest) =>
      renderInvoicesPage(request, await invoicesOfPage(ctx, caller, filter, request)),
  }
}
