import type { Caller } from '#platform/caller'
import type { PageRequest } from '#platform/http/validation/list'
import { readSortedPage } from '#platform/http/validation/sorted-list'
import { StreamedFile } from '#platform/http/routes/streamed-file'
import { rendered } from '#platform/testing/requests'
import { bookkeepingFile } from '../api/bookkeeping.ts'
import { invoiceReportRoutes } from '../api/report.routes.ts'
import {
  renderAnyData,
  renderCreditNoteData,
  renderDraftData,
  renderInvoiceData,
  renderInvoicesPage,
  renderPreviewData,
  renderPreviewedReissue,
  renderReissue,
  renderTotals,
} from '../api/render.ts'
import { overdueJob } from '../collect/overdue-job.ts'
import type { InvoicesContext } from '../context.ts'
import type { InvoicesDependencies } from '../dependencies.ts'
import { exportMonth } from '../documents/archive/month-archive.ts'
import { exportBookkeeping } from '../exports/export-bookkeeping.ts'
import type { ExportQuery } from '../exports/export-query.ts'
import { completeWithRates, ratesJob } from '../exchange/complete-rates.ts'
import { readDocument } from '../documents/read-document.ts'
import { issueDraft, removeDraft } from '../drafts/end-draft.ts'
import { previewInvoice } from '../drafts/preview-invoice.ts'
import { createDraft, replaceDraft } from '../drafts/save-draft.ts'
import { issueAndCharge } from '../issue/issue-and-charge.ts'
import { invoiceById, invoicesOfPage, invoiceTotals } from '../issue/read-invoices.ts'
import { isDraft } from '../model/draft-invoice.ts'
import type { InvoiceRequest } from '../model/invoice-requests.ts'
import type { IssuedInvoice } from '../model/issued-invoice.ts'
import { contextOf, useCasesOf } from '../module.ts'
import { createCreditNote } from '../notes/create-credit-note.ts'
import { previewReissue, reissueInvoice } from '../reissue/reissue-invoice.ts'
import { INVOICE_SORTS } from '../storage/invoice-list.repository.ts'
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
    jobs: [overdueJob(ctx), ratesJob(ctx)],
    completeWithRates,
    search: searchInvoices,
    create: rendered(
      bind((own: InvoicesContext, caller: Caller, request: InvoiceRequest) =>
        issueAndCharge(own, caller, () => ({ request })),
      ),
      renderInvoiceData,
    ),
    createDraft: rendered(bind(createDraft), renderDraftData),
    replaceDraft: rendered(bind(replaceDraft), renderDraftData),
    removeDraft: rendered(bind(removeDraft), renderDraftData),
    issueDraft: rendered(bind(issueDraft), renderInvoiceData),
    preview: rendered(bind(previewInvoice), renderPreviewData),
    reissue: rendered(bind(reissueInvoice), renderReissue),
    previewReissue: rendered(bind(previewReissue), renderPreviewedReissue),
    totals: rendered(bind(invoiceTotals), renderTotals),
    get: rendered(bind(issuedById), renderInvoiceData),
    getAny: rendered(bind(invoiceById), renderAnyData),
    document: bind(readDocument),
    exportMonth: bind(exportMonth),
    creditNote: rendered(bind(createCreditNote), renderCreditNoteData),
    spreadsheet: async (caller: Caller, query: Parameters<typeof bookkeepingFile>[2]): Promise<string[]> => {
      const { content } = await bookkeepingFile(ctx, caller, query)
      return (await Array.fromAsync(content)).join('').split('\r\n')
    },
    export: async (caller: Caller, query: ExportQuery): Promise<Buffer> => {
      const { content } = await exportBookkeeping(ctx, caller, query)
      const parts = await Array.fromAsync(content)
      return Buffer.concat(parts.map((part) => Buffer.from(part)))
    },
    /** Asks for a report as a request does. A file is returned as its text. */
    report: async (caller: Caller, path: string, query: object = {}): Promise<Report> => {
      const route = routes.find((one) => one.path === `/svc/report/api/v1/openapi/invoices/${path}`)
      if (route === undefined) throw new Error(`there is no report ${path}`)
      const data = route.render(await route.handle({ caller, query, params: {}, body: undefined }))
      if (data instanceof StreamedFile) return { text: (await Array.fromAsync(data.content)).join('') }
      return JSON.parse(JSON.stringify(data)) as Report
    },
    /** Issued documents only. */
    page: async (caller: Caller, filter: string | undefined, request: PageRequest) => {
      const { invoices, page } = renderInvoicesPage(
        request,
        await invoicesOfPage(ctx, caller, filter, request),
      )
      return { invoices: invoices.filter((invoice) => invoice.state !== 'draft'), page }
    },
    sorted: async (caller: Caller, sort: string, query: SortedQuery) => {
      const request = readSortedPage('invoices', query, INVOICE_SORTS, sort)
      return renderInvoicesPage(request, await invoicesOfPage(ctx, caller, query.filter, request))
    },
  }
}

interface SortedQuery {
  readonly filter?: string
  readonly limit?: number
  readonly offset?: number
  readonly cursor?: string
}

async function issuedById(ctx: InvoicesContext, caller: Caller, id: string): Promise<IssuedInvoice> {
  const invoice = await invoiceById(ctx, caller, id)
  if (isDraft(invoice)) throw new Error(`${id} is a draft`)
  return invoice
}
