import type { Caller } from '#platform/caller'
import type { PageRequest } from '#platform/http/validation/list'
import { StreamedFile } from '#platform/http/routes/streamed-file'
import { rendered } from '#platform/testing/requests'
import { bookkeepingFile } from '../api/bookkeeping.ts'
import { invoiceReportRoutes } from '../api/report.routes.ts'
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
export { findOpenSince } from '../storage/open-invoice.repository.ts'
export { endOfPage, sumBuyers, sumTaxes } from '../storage/tax-report.repository.ts'
export { INVOICES_PERSONAL_DATA } from '../storage/personal-data.ts'

export interface ReportRow {
  readonly [member: string]: string | number | null
}

interface Report {
  readonly text?: string
  readonly taxes?: readonly ReportRow[]
  readonly buyers?: readonly ReportRow[]
  readonly open?: readonly ReportRow[]
  readonly ages?: readonly ReportRow[]
  readonly rows?: readonly ReportRow[]
  readonly page?: { readonly next_cursor: string | null; readonly has_more: boolean }
}

export function invoicesOf(deps: InvoicesDependencies) {
  const ctx = contextOf(deps)
  const routes = invoiceReportRoutes(ctx)
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
    spreadsheet: async (caller: Caller, query: Parameters<typeof bookkeepingFile>[2]): Promise<string[]> => {
      const { content } = await bookkeepingFile(ctx, caller, query)
      return (await Array.fromAsync(content)).join('').split('\r\n')
    },
    /** Asks for a report as a request does. A file is returned as its text. */
    report: async (caller: Caller, path: string, query: object = {}): Promise<Report> => {
      const route = routes.find((one) => one.path === `/svc/report/api/v1/openapi/invoices/${path}`)
      if (route === undefined) throw new Error(`there is no report ${path}`)
      const data = route.render(await route.handle({ caller, query, params: {}, body: undefined }))
      if (data instanceof StreamedFile) return { text: (await Array.fromAsync(data.content)).join('') }
      return JSON.parse(JSON.stringify(data)) as Report
    },
    page: async (caller: Caller, filter: string | undefined, request: PageRequest) =>
      renderInvoicesPage(request, await invoicesOfPage(ctx, caller, filter, request)),
  }
}
