import type { Client, Query, RequestOptions } from '../client.ts'
import { del, download, get, list, post, postBody, put } from '../methods.ts'

const INVOICES = '/svc/billing/api/v1/openapi/invoices'

const make = post(INVOICES, (invoice) => ({ body: { invoice } }), 'invoice')
type NewInvoice = Parameters<ReturnType<typeof make>>[0]
type Made = Awaited<ReturnType<ReturnType<typeof make>>>
type Draft = Extract<Made, { state: 'draft' }>
type MadeOf<Asked> = Asked extends { draft: true }
  ? Draft
  : Asked extends { draft?: false }
    ? Exclude<Made, Draft>
    : Made

/** Invoices and credit notes. */
export const invoices = {
  /** Makes an order and its invoice, or with `draft: true` an invoice that can be changed, removed and issued. */
  create:
    (client: Client) =>
    async <Asked extends NewInvoice>(invoice: Asked, options?: RequestOptions) =>
      (await make(client)(invoice, options)) as MadeOf<Asked>,
  /** Returns what the invoice would say if it were issued now. */
  preview: post(`${INVOICES}/preview`, (invoice) => ({ body: { invoice }, reads: true }), 'invoice'),
  /** Rows of the state `draft` are not issued. */
  list: list(INVOICES, (query?) => ({ query }), 'invoices'),
  /** Sums what a filter finds, by currency. */
  totals: get(`${INVOICES}/totals`, (query?) => ({ query })),
  get: get(`${INVOICES}/{id}`, (id) => ({ path: { id } }), 'invoice'),
  replaceDraft: put(`${INVOICES}/{id}`, (id, invoice) => ({ path: { id }, body: { invoice } }), 'invoice'),
  removeDraft: del(`${INVOICES}/{id}`, (id) => ({ path: { id } }), 'invoice'),
  /** Gives a draft its number and its order. The date and the rates are those of now. */
  issueDraft: post(`${INVOICES}/{id}/issue`, (id) => ({ path: { id } }), 'invoice'),
  /** Downloads a PDF or an electronic invoice. */
  document:
    (client: Client) =>
    (
      id: string,
      format: NonNullable<Query<'get', `${typeof INVOICES}/{id}/document`>['format']> = 'pdf',
      options?: RequestOptions,
    ) =>
      client.download(`${INVOICES}/{id}/document`, { path: { id }, query: { format } }, options),
  /** All documents that a month issued, as a ZIP: a `Response` whose body can be streamed. */
  export: download(`${INVOICES}/export.zip`, (query) => ({ query })),
  /** The documents of a range of days for bookkeeping, as CSV: a `Response` whose body can be streamed. */
  download: download(`${INVOICES}/spreadsheet.csv`, (query?) => ({ query })),
  /** Credits the invoice in full and issues it again with the details of now. Returns the note and the new invoice. */
  reissue: postBody(`${INVOICES}/{id}/reissue`, (id, body) => ({ path: { id }, body })),
  previewReissue: postBody(`${INVOICES}/{id}/reissue/preview`, (id, body) => ({
    path: { id },
    body,
    reads: true,
  })),
  /** The documents and payments of a range for DATEV, Xero or QuickBooks: a `Response` whose body can be streamed. */
  exportBookkeeping: download(`${INVOICES}/export`, (query) => ({ query })),
  /** Records a payment by hand. Returns `{invoice, transaction}`. */
  recordPayment: post(`${INVOICES}/{id}/payments`, (id, payment) => ({
    path: { id },
    body: { payment },
  })),
  /** Gives up what is due, or a part of it. Returns `{invoice, order}`. */
  writeOff: postBody(`${INVOICES}/{id}/write_off`, (id, body) => ({ path: { id }, body })),
  /** Returns the note and the invoice that it lowers. */
  createCreditNote: post(`${INVOICES}/{id}/credit_notes`, (id, note) => ({
    path: { id },
    body: { credit_note: note },
  })),
}
