import Type from 'typebox'
import { defineRoute, type Route } from '#platform/http/routes/route'
import { filteredListQuery, readPage } from '#platform/http/validation/list'
import { IdParams } from '#platform/http/validation/schemas'
import type { InvoicesContext } from '../context.ts'
import { exportMonth } from '../documents/archive/month-archive.ts'
import { readDocument } from '../documents/read-document.ts'
import { createInvoice } from '../issue/create-invoice.ts'
import { invoiceById, invoicesOfPage } from '../issue/read-invoices.ts'
import { createCreditNote } from '../notes/create-credit-note.ts'
import { INVOICE_FIELDS } from '../storage/invoice.repository.ts'
import { bookkeepingRoute } from './bookkeeping.ts'
import {
  renderArchive,
  renderCreditNoteData,
  renderDocument,
  renderInvoiceData,
  renderInvoicesPage,
} from './render.ts'
import {
  ArchiveQuery,
  CREDIT_NOTE_EXISTS,
  CreateInvoiceBody,
  CreditNoteBody,
  CreditNoteData,
  DocumentQuery,
  EINVOICE_INCOMPLETE,
  INVOICE_EXISTS,
  InvoiceData,
  InvoicesPage,
} from './schemas.ts'

const BASE = '/svc/billing/api/v1/openapi/invoices'
const TAG = 'Invoices'

export function invoiceRoutes(ctx: InvoicesContext): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: BASE,
      scope: 'billing:write',
      summary: 'Create an invoice',
      description:
        'Makes an order and its invoice. Collected automatically, the default token is charged once; otherwise, and where that fails, the order is payable by link.',
      tag: TAG,
      body: CreateInvoiceBody,
      example: {
        invoice: {
          customer_uuid: 'cus_01j9z3k6v8q4t2n7b5m1c0x4hr',
          currency: 'EUR',
          lines: [{ label: 'Set-up', quantity: 2, unit_amount: 150 }],
        },
      },
      data: InvoiceData,
      failures: { 409: INVOICE_EXISTS },
      handle: ({ caller, body }) => createInvoice(ctx, caller, body.invoice),
      render: renderInvoiceData,
    }),
    defineRoute({
      method: 'GET',
      path: BASE,
      scope: 'billing:read',
      summary: 'List invoices and credit notes',
      tag: TAG,
      query: filteredListQuery(INVOICE_FIELDS),
      data: InvoicesPage,
      handle: async ({ caller, query }) => {
        const request = readPage('invoices', query)
        return renderInvoicesPage(request, await invoicesOfPage(ctx, caller, query.filter, request))
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/export.zip`,
      scope: 'billing:read',
      summary: "Download a month's invoices and credit notes",
      description:
        'A ZIP with a file for each document and `index.csv`, which has a row for each. It is sent while it is made.',
      tag: TAG,
      query: ArchiveQuery,
      contentType: 'application/zip',
      data: Type.String(),
      handle: ({ caller, query }) => exportMonth(ctx, caller, query),
      render: renderArchive,
    }),
    bookkeepingRoute(ctx),
    defineRoute({
      method: 'GET',
      path: `${BASE}/:id`,
      scope: 'billing:read',
      summary: 'Get an invoice or a credit note',
      tag: TAG,
      params: IdParams,
      data: InvoiceData,
      handle: ({ caller, params }) => invoiceById(ctx, caller, params.id),
      render: renderInvoiceData,
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
      handle: ({ caller, params, query }) => readDocument(ctx, caller, params.id, query.format),
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
