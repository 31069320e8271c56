import { get, list, post } from '../methods.ts'

const STATEMENTS = '/svc/billing/api/v1/openapi/bank_statements'
const ENTRIES = '/svc/billing/api/v1/openapi/bank_entries'

/** Bank statements, whose transfers pay invoices. */
export const bankStatements = {
  /** Adds the entries that no earlier statement had, and books those that name open invoices. */
  import: post(
    STATEMENTS,
    (bankStatement) => ({ body: { bank_statement: bankStatement } }),
    'bank_statement',
  ),
  list: list(STATEMENTS, (query?) => ({ query }), 'bank_statements'),
  get: get(`${STATEMENTS}/{id}`, (id) => ({ path: { id } }), 'bank_statement'),
}

/** Transfers that bank statements brought. */
export const bankEntries = {
  list: list(ENTRIES, (query?) => ({ query }), 'bank_entries'),
  get: get(`${ENTRIES}/{id}`, (id) => ({ path: { id } }), 'bank_entry'),
  /** Pays each invoice by its amount. The amounts sum to the entry. */
  match: post(
    `${ENTRIES}/{id}/match`,
    (id, invoices) => ({ path: { id }, body: { invoices } }),
    'bank_entry',
  ),
  /** Undoes a match, or stops ignoring the entry. */
  unmatch: post(`${ENTRIES}/{id}/unmatch`, (id) => ({ path: { id } }), 'bank_entry'),
  ignore: post(`${ENTRIES}/{id}/ignore`, (id) => ({ path: { id } }), 'bank_entry'),
}
