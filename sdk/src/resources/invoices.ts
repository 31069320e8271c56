import type { Client, Query, RequestOptions } from '../client.ts'
import { download, get, list, post } from '../methods.ts'

const INVOICES = '/svc/billing/api/v1/openapi/invoices'

/** Invoices and credit notes. */
export const invoices = {
  /** Makes an order and its invoice. */
  create: post(INVOICES, (invoice) => ({ body: { invoice } }), 'invoice'),
  list: list(INVOICES, (query?) => ({ query }), 'invoices'),
  get: get(`${INVOICES}/{id}`, (id) => ({ path: { id } }), 'invoice'),
  /** Downloads a PDF or an electronic invoice. */
  document:
    (client: Client) =>
    (
      id: string,
      format: Query<'get', `${typeof INVOICES}/{id}/document`>['format'],
      options?: RequestOptions,
    ) =>
      client.download(`${INVOICES}/{id}/document`, { path: { id }, query: { format } }, options),
  /** All documents that a month issued, as a ZIP: a `Response` whose body can be streamed. */
  export: download(`${INVOICES}/export.zip`, (query) => ({ query })),
  /** The documents of a range of days for bookkeeping, as CSV: a `Response` whose body can be streamed. */
  download: download(`${INVOICES}/spreadsheet.csv`, (query?) => ({ query })),
  /** Returns the note and the invoice that it lowers. */
  createCreditNote: post(`${INVOICES}/{id}/credit_notes`, (id, note) => ({
    path: { id },
    body: { credit_note: note },
  })),
}
