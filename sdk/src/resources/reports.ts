import { type Client, pick, type Query, type RequestOptions } from '../client.ts'

const OVERVIEW = '/svc/report/api/v1/openapi/overview'
const TOTALS = '/svc/report/api/v1/openapi/totals'
const TOTALS_SPREADSHEET = `${TOTALS}/spreadsheet.csv` as const
const ATTENTION = '/svc/report/api/v1/openapi/attention'

export function reportsOf(client: Client) {
  return {
    /** The totals of the last days. A change is counted about five seconds later. */
    overview: (query?: Query<'get', typeof OVERVIEW>, options?: RequestOptions) =>
      pick(client.send('get', OVERVIEW, { query }, options), 'overview'),
    /** Sums of a range of days for each currency, beside those of as many days before. */
    totals: (query?: Query<'get', typeof TOTALS>, options?: RequestOptions) =>
      pick(client.send('get', TOTALS, { query }, options), 'totals'),
    /** The totals of each day as CSV: a `Response` whose body can be streamed. */
    downloadTotals: (query?: Query<'get', typeof TOTALS_SPREADSHEET>, options?: RequestOptions) =>
      client.download(TOTALS_SPREADSHEET, { query }, options),
    /** What needs a person. */
    attention: (options?: RequestOptions) => pick(client.send('get', ATTENTION, {}, options), 'attention'),
  }
}
