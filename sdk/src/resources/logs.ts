import { type Client, pick, type Query, type RequestOptions } from '../client.ts'
import { listOf } from '../list.ts'

const REQUESTS = '/svc/log/api/v1/openapi/requests'
const AUDIT_ENTRIES = '/svc/log/api/v1/openapi/audit_entries'

/** The API requests of the last days. */
export function requestsOf(client: Client) {
  return {
    list: (query?: Query<'get', typeof REQUESTS>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', REQUESTS, { query: page }, options),
        ({ requests }) => requests,
      ),
    /** Returns the request with its bodies, without secrets. */
    get: (requestId: string, options?: RequestOptions) =>
      pick(
        client.send('get', `${REQUESTS}/{request_id}`, { path: { request_id: requestId } }, options),
        'request',
      ),
  }
}

/** Who changed what. */
export function auditEntriesOf(client: Client) {
  return {
    list: (query?: Query<'get', typeof AUDIT_ENTRIES>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', AUDIT_ENTRIES, { query: page }, options),
        ({ audit_entries }) => audit_entries,
      ),
    /** The whole chain with its hashes as CSV: a `Response` whose body can be streamed. */
    export: (options?: RequestOptions) => client.download(`${AUDIT_ENTRIES}/export.csv`, {}, options),
  }
}
