import { type Body, type Client, pick, type Query, type RequestOptions } from '../client.ts'
import { listOf } from '../list.ts'

const INVOICES = '/svc/billing/api/v1/openapi/invoices'

type NewCreditNote = Body<'post', `${typeof INVOICES}/{id}/credit_notes`>['credit_note']

/** Invoices and credit notes. */
export function invoicesOf(client: Client) {
  return {
    /** Makes an order and its invoice. */
    create: (invoice: Body<'post', typeof INVOICES>['invoice'], options?: RequestOptions) =>
      pick(client.send('post', INVOICES, { body: { invoice } }, options), 'invoice'),
    list: (query?: Query<'get', typeof INVOICES>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', INVOICES, { query: page }, options),
        (data) => data.invoices,
      ),
    get: (id: string, options?: RequestOptions) =>
      pick(client.send('get', `${INVOICES}/{id}`, { path: { id } }, options), 'invoice'),
    /** Downloads a PDF or an electronic invoice. */
    document: (
      id: string,
      format: Query<'get', `${typeof INVOICES}/{id}/document`>['format'],
      options?: RequestOptions,
    ) => client.download(`${INVOICES}/{id}/document`, { path: { id }, query: { format } }, options),
    /** All documents that a month issued, as a ZIP: a `Response` whose body can be streamed. */
    export: (query: Query<'get', `${typeof INVOICES}/export.zip`>, options?: RequestOptions) =>
      client.download(`${INVOICES}/export.zip`, { query }, options),
    /** Returns the note and the invoice that it lowers. */
    createCreditNote: (id: string, note: NewCreditNote, options?: RequestOptions) =>
      client.send(
        'post',
        `${INVOICES}/{id}/credit_notes`,
        { path: { id }, body: { credit_note: note } },
        options,
      ),
  }
}
