import { download, get, list } from '../methods.ts'

const OVERVIEW = '/svc/report/api/v1/openapi/overview'
const TOTALS = '/svc/report/api/v1/openapi/totals'
const TOTALS_SPREADSHEET = `${TOTALS}/spreadsheet.csv` as const
const ATTENTION = '/svc/report/api/v1/openapi/attention'
const INVOICES = '/svc/report/api/v1/openapi/invoices'

export const reports = {
  /** The totals of the last days. A change is counted about five seconds later. */
  overview: get(OVERVIEW, (query?) => ({ query }), 'overview'),
  /** Sums of a range of days for each currency, beside those of as many days before. */
  totals: get(TOTALS, (query?) => ({ query }), 'totals'),
  /** The totals of each day as CSV: a `Response` whose body can be streamed. */
  downloadTotals: download(TOTALS_SPREADSHEET, (query?) => ({ query })),
  /** The taxes of the documents of a range of days, as a tax return asks for them. */
  taxes: get(`${INVOICES}/taxes`, (query?) => ({ query }), 'taxes'),
  /** The lines of documents that the taxes are made of. */
  taxRows: list(`${INVOICES}/taxes/rows`, (query?) => ({ query }), 'rows'),
  /** What each buyer was invoiced, by treatment: `reverse_charge` is an EC sales list. */
  buyers: get(`${INVOICES}/buyers`, (query?) => ({ query }), 'buyers'),
  /** The lines of documents that the sums of buyers are made of. */
  buyerRows: list(`${INVOICES}/buyers/rows`, (query?) => ({ query }), 'rows'),
  /** The invoices of which something was due at the end of a day. */
  openItems: list(`${INVOICES}/open`, (query?) => ({ query }), 'open'),
  /** The documents and payments that open items are made of. */
  openItemRows: list(`${INVOICES}/open/rows`, (query?) => ({ query }), 'rows'),
  /** The open items of a day by age: days past the due date. */
  openAges: get(`${INVOICES}/open/ages`, (query?) => ({ query }), 'ages'),
  /** What needs a person. */
  attention: get(ATTENTION, () => ({}), 'attention'),
}
