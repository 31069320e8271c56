import { del, download, get, list, post, send } from '../methods.ts'

const BASE = '/svc/privacy/api/v1/openapi'
const CUSTOMER = `${BASE}/customers/{uuid}` as const
const ERASURES = `${BASE}/erasures` as const
const RETENTION = `${BASE}/retention` as const

/** Export and erasure of what is kept of a customer, legal holds, and retention. */
export const personalData = {
  /** One JSON object a line: a `Response` whose body can be streamed. */
  export: download(`${CUSTOMER}/export.jsonl`, (uuid) => ({ path: { uuid } })),
  /** What is kept of the customer, and what is in the way of an erasure. Changes nothing. */
  check: get(`${CUSTOMER}/erasure_check`, (uuid) => ({ path: { uuid } }), 'erasure_check'),
  /** Cannot be undone. The work goes on in the background. */
  erase: post(`${CUSTOMER}/erasures`, (uuid) => ({ path: { uuid } }), 'erasure'),
  listErasures: list(ERASURES, (query?) => ({ query }), 'erasures'),
  getErasure: get(`${ERASURES}/{id}`, (id) => ({ path: { id } }), 'erasure'),
  hold: send(
    'put',
    `${CUSTOMER}/legal_hold`,
    (uuid: string, reason: string) => ({ path: { uuid }, body: { legal_hold: { reason } } }),
    'legal_hold',
  ),
  liftHold: del(`${CUSTOMER}/legal_hold`, (uuid) => ({ path: { uuid } }), 'legal_hold'),
  getRetention: get(RETENTION, () => ({}), 'retention'),
  /** @param customerDays days without activity after which a customer is erased; null: never */
  setRetention: send(
    'put',
    RETENTION,
    (customerDays: number | null) => ({ body: { retention: { customer_days: customerDays } } }),
    'retention',
  ),
}
