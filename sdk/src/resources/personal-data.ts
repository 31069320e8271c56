import { type Client, pick, type Query, type RequestOptions } from '../client.ts'
import { listOf } from '../list.ts'

const BASE = '/svc/privacy/api/v1/openapi'
const CUSTOMER = `${BASE}/customers/{uuid}` as const
const ERASURES = `${BASE}/erasures` as const
const RETENTION = `${BASE}/retention` as const

/** Export and erasure of what is kept of a customer, legal holds, and retention. */
export function personalDataOf(client: Client) {
  return {
    /** One JSON object a line: a `Response` whose body can be streamed. */
    export: (uuid: string, options?: RequestOptions) =>
      client.download(`${CUSTOMER}/export.jsonl`, { path: { uuid } }, options),
    /** What is kept of the customer, and what is in the way of an erasure. Changes nothing. */
    check: (uuid: string, options?: RequestOptions) =>
      pick(client.send('get', `${CUSTOMER}/erasure_check`, { path: { uuid } }, options), 'erasure_check'),
    /** Cannot be undone. The work goes on in the background. */
    erase: (uuid: string, options?: RequestOptions) =>
      pick(client.send('post', `${CUSTOMER}/erasures`, { path: { uuid } }, options), 'erasure'),
    listErasures: (query?: Query<'get', typeof ERASURES>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', ERASURES, { query: page }, options),
        ({ erasures }) => erasures,
      ),
    getErasure: (id: string, options?: RequestOptions) =>
      pick(client.send('get', `${ERASURES}/{id}`, { path: { id } }, options), 'erasure'),
    hold: (uuid: string, reason: string, options?: RequestOptions) =>
      pick(
        client.send(
          'put',
          `${CUSTOMER}/legal_hold`,
          { path: { uuid }, body: { legal_hold: { reason } } },
          options,
        ),
        'legal_hold',
      ),
    liftHold: (uuid: string, options?: RequestOptions) =>
      pick(client.send('delete', `${CUSTOMER}/legal_hold`, { path: { uuid } }, options), 'legal_hold'),
    getRetention: (options?: RequestOptions) => pick(client.send('get', RETENTION, {}, options), 'retention'),
    /** @param customerDays days without activity after which a customer is erased; null: never */
    setRetention: (customerDays: number | null, options?: RequestOptions) =>
      pick(
        client.send('put', RETENTION, { body: { retention: { customer_days: customerDays } } }, options),
        'retention',
      ),
  }
}
