import { download, get, list } from '../methods.ts'

const REQUESTS = '/svc/log/api/v1/openapi/requests'
const AUDIT_ENTRIES = '/svc/log/api/v1/openapi/audit_entries'

/** The API requests of the last days. */
export const requests = {
  list: list(REQUESTS, (query?) => ({ query }), 'requests'),
  /** Returns the request with its bodies, without secrets. */
  get: get(`${REQUESTS}/{request_id}`, (requestId) => ({ path: { request_id: requestId } }), 'request'),
}

/** Who changed what. */
export const auditEntries = {
  list: list(AUDIT_ENTRIES, (query?) => ({ query }), 'audit_entries'),
  /** The whole chain with its hashes as CSV: a `Response` whose body can be streamed. */
  export: download(`${AUDIT_ENTRIES}/export.csv`, () => ({})),
}
