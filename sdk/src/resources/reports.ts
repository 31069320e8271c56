import { type Client, pick, type Query, type RequestOptions } from '../client.ts'

const OVERVIEW = '/svc/report/api/v1/openapi/overview'
const ATTENTION = '/svc/report/api/v1/openapi/attention'

export function reportsOf(client: Client) {
  return {
    /** The totals of the last days. A change is counted about five seconds later. */
    overview: (query?: Query<'get', typeof OVERVIEW>, options?: RequestOptions) =>
      pick(client.send('get', OVERVIEW, { query }, options), 'overview'),
    /** What needs a person. */
    attention: (options?: RequestOptions) => pick(client.send('get', ATTENTION, {}, options), 'attention'),
  }
}
