import { download, get } from '../methods.ts'

const OVERVIEW = '/svc/report/api/v1/openapi/overview'
const TOTALS = '/svc/report/api/v1/openapi/totals'
const TOTALS_SPREADSHEET = `${TOTALS}/spreadsheet.csv` as const
const ATTENTION = '/svc/report/api/v1/openapi/attention'

export const reports = {
  /** The totals of the last days. A change is counted about five seconds later. */
  overview: get(OVERVIEW, (query?) => ({ query }), 'overview'),
  /** Sums of a range of days for each currency, beside those of as many days before. */
  totals: get(TOTALS, (query?) => ({ query }), 'totals'),
  /** The totals of each day as CSV: a `Response` whose body can be streamed. */
  downloadTotals: download(TOTALS_SPREADSHEET, (query?) => ({ query })),
  /** What needs a person. */
  attention: get(ATTENTION, () => ({}), 'attention'),
}
