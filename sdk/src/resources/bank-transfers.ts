import { type Body, type Client, pick, type Query, type RequestOptions } from '../client.ts'
import { listOf } from '../list.ts'

const STATEMENTS = '/svc/billing/api/v1/openapi/bank_statements'
const ENTRIES = '/svc/billing/api/v1/openapi/bank_entries'

/** Bank statements, whose transfers pay invoices. */
export function bankStatementsOf(client: Client) {
  return {
    /** Adds the entries that no earlier statement had, and books those that name open invoices. */
    import: (bankStatement: Body<'post', typeof STATEMENTS>['bank_statement'], options?: RequestOptions) =>
      pick(
        client.send('post', STATEMENTS, { body: { bank_statement: bankStatement } }, options),
        'bank_statement',
      ),
    list: (query?: Query<'get', typeof STATEMENTS>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', STATEMENTS, { query: page }, options),
        (data) => data.bank_statements,
      ),
    get: (id: string, options?: RequestOptions) =>
      pick(client.send('get', `${STATEMENTS}/{id}`, { path: { id } }, options), 'bank_statement'),
  }
}

/** Transfers that bank statements brought. */
export function bankEntriesOf(client: Client) {
  return {
    list: (query?: Query<'get', typeof ENTRIES>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', ENTRIES, { query: page }, options),
        (data) => data.bank_entries,
      ),
    get: (id: string, options?: RequestOptions) =>
      pick(client.send('get', `${ENTRIES}/{id}`, { path: { id } }, options), 'bank_entry'),
    /** Pays each invoice by its amount. The amounts sum to the entry. */
    match: (
      id: string,
      invoices: Body<'post', `${typeof ENTRIES}/{id}/match`>['invoices'],
      options?: RequestOptions,
    ) =>
      pick(
        client.send('post', `${ENTRIES}/{id}/match`, { path: { id }, body: { invoices } }, options),
        'bank_entry',
      ),
    /** Undoes a match, or stops ignoring the entry. */
    unmatch: (id: string, options?: RequestOptions) =>
      pick(client.send('post', `${ENTRIES}/{id}/unmatch`, { path: { id } }, options), 'bank_entry'),
    ignore: (id: string, options?: RequestOptions) =>
      pick(client.send('post', `${ENTRIES}/{id}/ignore`, { path: { id } }, options), 'bank_entry'),
  }
}
