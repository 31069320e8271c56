import Type from 'typebox'
import { defineRoute, type Route } from '#platform/http/routes/route'
import { readPage } from '#platform/http/validation/list'
import { IdParams } from '#platform/http/validation/schemas'
import { readSortedPage } from '#platform/http/validation/sorted-list'
import type { InvoicesContext } from '../context.ts'
import { ArchiveQuerySchema, exportMonth } from '../documents/archive/month-archive.ts'
import { exportBookkeeping } from '../exports/export-bookkeeping.ts'
import { readDocument } from '../documents/read-document.ts'
import { issueDraft, removeDraft } from '../drafts/end-draft.ts'
import { previewInvoice } from '../drafts/preview-invoice.ts'
import { createDraft, replaceDraft } from '../drafts/save-draft.ts'
import { issueAndCharge } from '../issue/issue-and-charge.ts'
import { invoiceById, invoicesOfPage, invoiceTotals } from '../issue/read-invoices.ts'
import { createCreditNote } from '../notes/create-credit-note.ts'
import { previewReissue, reissueInvoice } from '../reissue/reissue-invoice.ts'
import type { AnyInvoice } from '../model/draft-invoice.ts'
import { INVOICE_SORTS } from '../storage/invoice-list.repository.ts'
import { bookkeepingRoute } from './bookkeeping.ts'
import {
  renderAnyData,
  renderArchive,
  renderCreditNoteData,
  renderDocument,
  renderDraftData,
  renderExport,
  renderInvoiceData,
  renderInvoicesPage,
  renderPreviewData,
  renderPreviewedReissue,
  renderReissue,
  renderTotals,
} from './render.ts'
import {
  AnyInvoiceData,
  EXPORT_REFUSED,
  CREDIT_NOTE_EXISTS,
  CreateInvoiceBody,
  CreditNoteBody,
  CreditNoteData,
  DocumentQuery,
  DraftData,
  EINVOICE_INCOMPLETE,
  INVOICE_REFUSED,
  InvoiceData,
  InvoicePreviewData,
  InvoicesPage,
  InvoicesQuery,
  InvoiceTotalsData,
  PreviewedReissueData,
  RATE_MISSING,
  ReissueBody,
  ReplaceDraftBody,
  TotalsQuery,
} from './schemas.ts'
import { ExportQuerySchema } from '../exports/export-query.ts'

const BASE = '/svc/billing/api/v1/openapi/invoices'
const TAG = 'Invoices'

const EXAMPLE = {
  invoice: {
    customer_uuid: 'cus_01j9z3k6v8q4t2n7b5m1c0x4hr',
    currency: 'EUR',
    lines: [{ label: 'Set-up', quantity: 2, unit_amount: 150 }],
  },
}

export function invoiceRoutes(ctx: InvoicesContext): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: BASE,
      scope: 'billing:write',
      summary: 'Create an invoice',
      description:
        'Makes an order and its invoice, or with `draft` neither. Collected automatically, the default token is charged once; otherwise, and where that fails, the order is payable by link.',
      tag: TAG,
      body: CreateInvoiceBody,
      example: EXAMPLE,
      data: AnyInvoiceData,
      failures: { 409: INVOICE_REFUSED },
      handle: ({ caller, body }): Promise<AnyInvoice> => {
        const { draft = false, ...request } = body.invoice
        return draft ? createDraft(ctx, caller, request) : issueAndCharge(ctx, caller, () => ({ request }))
      },
      render: renderAnyData,
    }),
    defineRoute({
      method: 'GET',
      path: BASE,
      scope: 'billing:read',
      summary: 'List invoices and credit notes',
      tag: TAG,
      description: 'Newest first, or by `sort`. Drafts have the state `draft`.',
      query: InvoicesQuery,
      data: InvoicesPage,
      handle: async ({ caller, query: { sort, filter, ...paging } }) => {
        const request =
          sort === undefined
            ? readPage('invoices', paging)
            : readSortedPage('invoices', paging, INVOICE_SORTS, sort)
        return renderInvoicesPage(request, await invoicesOfPage(ctx, caller, filter, request))
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/totals`,
      scope: 'billing:read',
      summary: 'Sum invoices and credit notes',
      description:
        'Sums the documents that a filter finds, by currency. Credit notes count negative, drafts not at all.',
      tag: TAG,
      query: TotalsQuery,
      data: InvoiceTotalsData,
      handle: ({ caller, query }) => invoiceTotals(ctx, caller, query.filter),
      render: renderTotals,
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/preview`,
      scope: 'billing:read',
      takesIdempotencyKey: false,
      summary: 'Preview an invoice',
      description:
        'Returns what the invoice would say if it were issued now. Nothing is stored, and no number is taken.',
      tag: TAG,
      body: CreateInvoiceBody,
      example: EXAMPLE,
      data: InvoicePreviewData,
      failures: { 409: INVOICE_REFUSED },
      handle: ({ caller, body }) => previewInvoice(ctx, caller, body.invoice),
      render: renderPreviewData,
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/export.zip`,
      scope: 'billing:read',
      summary: "Download a month's invoices and credit notes",
      description:
        'A ZIP with a file for each document and `index.csv`, which has a row for each. It is sent while it is made.',
      tag: TAG,
      query: ArchiveQuerySchema,
      contentType: 'application/zip',
      data: Type.String(),
      handle: ({ caller, query }) => exportMonth(ctx, caller, query),
      render: renderArchive,
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/export`,
      scope: 'billing:read',
      summary: 'Export the documents and payments of a range of days for a bookkeeping program',
      description:
        'DATEV: a Buchungsstapel (EXTF 700) of documents by issue date, and of payments and refunds by value date. Xero, QuickBooks: their import of sales invoices. The accounts are those of the billing settings. The same range gives the same bytes while nothing in it changes.',
      tag: TAG,
      query: ExportQuerySchema,
      contentType: 'text/csv',
      data: Type.String(),
      failures: { 409: EXPORT_REFUSED },
      handle: ({ caller, query }) => exportBookkeeping(ctx, caller, query),
      render: renderExport,
    }),
    bookkeepingRoute(ctx),
    defineRoute({
      method: 'GET',
      path: `${BASE}/:id`,
      scope: 'billing:read',
      summary: 'Get an invoice or a credit note',
      tag: TAG,
      params: IdParams,
      data: AnyInvoiceData,
      handle: ({ caller, params }) => invoiceById(ctx, caller, params.id),
      render: renderAnyData,
    }),
    defineRoute({
      method: 'PUT',
      path: `${BASE}/:id`,
      scope: 'billing:write',
      summary: 'Replace a draft',
      description: 'The body replaces all that the draft says.',
      tag: TAG,
      params: IdParams,
      body: ReplaceDraftBody,
      example: EXAMPLE,
      data: DraftData,
      failures: { 409: INVOICE_REFUSED },
      handle: ({ caller, params, body }) => replaceDraft(ctx, caller, params.id, body.invoice),
      render: renderDraftData,
    }),
    defineRoute({
      method: 'DELETE',
      path: `${BASE}/:id`,
      scope: 'billing:write',
      summary: 'Remove a draft',
      description: 'Returns the draft as it was.',
      tag: TAG,
      params: IdParams,
      data: DraftData,
      handle: ({ caller, params }) => removeDraft(ctx, caller, params.id),
      render: renderDraftData,
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/:id/issue`,
      scope: 'billing:write',
      summary: 'Issue a draft',
      description:
        'Gives the draft its number, and makes its order. The date and the rates are those of now. Collected automatically, the default token is charged once.',
      tag: TAG,
      params: IdParams,
      data: InvoiceData,
      failures: { 409: INVOICE_REFUSED },
      handle: ({ caller, params }) => issueDraft(ctx, caller, params.id),
      render: renderInvoiceData,
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/:id/reissue`,
      scope: 'billing:write',
      summary: 'Correct an invoice',
      description:
        'Credits the whole invoice and issues it again on the same order, with the details of the seller and of the customer as they are now. Returns the note and the new invoice. Payments stay with the order.',
      tag: TAG,
      params: IdParams,
      body: ReissueBody,
      example: { reason: 'Wrong address' },
      data: CreditNoteData,
      failures: { 409: RATE_MISSING },
      handle: ({ caller, params, body }) => reissueInvoice(ctx, caller, params.id, body.reason),
      render: renderReissue,
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/:id/reissue/preview`,
      scope: 'billing:read',
      takesIdempotencyKey: false,
      summary: 'Preview the correction of an invoice',
      description:
        'Returns the credit note and the new invoice as they would be issued now, and stores nothing.',
      tag: TAG,
      params: IdParams,
      body: ReissueBody,
      example: { reason: 'Wrong address' },
      data: PreviewedReissueData,
      failures: { 409: RATE_MISSING },
      handle: ({ caller, params, body }) => previewReissue(ctx, caller, params.id, body.reason),
      render: renderPreviewedReissue,
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/:id/document`,
      scope: 'billing:read',
      summary: 'Download an invoice or a credit note',
      description:
        'A PDF, or an electronic invoice by EN 16931: UBL 2.1, CII D16B, or Factur-X, which is a PDF with the CII in it. UBL and CII are `application/xml`.',
      tag: TAG,
      params: IdParams,
      query: DocumentQuery,
      contentType: 'application/pdf',
      data: Type.String(),
      failures: { 409: EINVOICE_INCOMPLETE },
      handle: ({ caller, params, query }) => readDocument(ctx, caller, params.id, query.format ?? 'pdf'),
      render: renderDocument,
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/:id/credit_notes`,
      scope: 'billing:write',
      alsoNeeds: {
        scope: 'payments:write',
        what: '`refund: payment`',
        when: ({ credit_note: { refund } }) => refund === 'payment',
      },
      summary: 'Issue a credit note',
      description:
        'Lowers what is due of the invoice first. What is not due any more is refunded, credited to the plan, or left.',
      tag: TAG,
      params: IdParams,
      body: CreditNoteBody,
      example: { credit_note: { amount: 20, reason: 'Two days without service', refund: 'payment' } },
      data: CreditNoteData,
      failures: { 409: CREDIT_NOTE_EXISTS },
      handle: ({ caller, params, body }) => createCreditNote(ctx, caller, params.id, body.credit_note),
      render: renderCreditNoteData,
    }),
  ]
}
