import { type Client, type Query, type RequestOptions, withResponse } from '../client.ts'
import { del, get, list, post, putBody } from '../methods.ts'
import { wholeList } from '../list.ts'

const CUSTOMERS = '/svc/payment/api/v1/openapi/customers'
const TOKENS = `${CUSTOMERS}/{uuid}/payment_tokens` as const
const NOTES = `${CUSTOMERS}/{uuid}/notes` as const
const SESSIONS = `${CUSTOMERS}/{uuid}/sessions` as const

export const customers = {
  create: post(CUSTOMERS, (customer) => ({ body: { customer } }), 'customer'),
  /** Replaces the profile. `uuid` is the id of the customer. */
  update: putBody(
    `${CUSTOMERS}/{id}`,
    (uuid, customer) => ({ path: { id: uuid }, body: customer }),
    'customer',
  ),
  get: get(`${CUSTOMERS}/{id}`, (uuid) => ({ path: { id: uuid } }), 'customer'),
  getByReference: get(
    `${CUSTOMERS}/ref/{id}`,
    (referenceNumber) => ({ path: { id: referenceNumber } }),
    'customer',
  ),
  list: list(CUSTOMERS, (query?) => ({ query }), 'customers'),
  /** What the customer has paid, by currency. */
  spend: get(`${CUSTOMERS}/{uuid}/spend`, (uuid) => ({ path: { uuid } }), 'spend'),
  /** What happened to everything of the customer, and what happens next. */
  timeline: get(`${CUSTOMERS}/{uuid}/timeline`, (uuid, query?) => ({ path: { uuid }, query }), 'timeline'),
}

/** What people of the merchant write down about a customer. */
export const customerNotes = {
  create: post(NOTES, (customerUuid, note) => ({ path: { uuid: customerUuid }, body: { note } }), 'note'),
  list: list(NOTES, (customerUuid, query?) => ({ path: { uuid: customerUuid }, query }), 'notes'),
  delete: del(`${NOTES}/{id}`, (customerUuid, id) => ({ path: { uuid: customerUuid, id } }), 'note'),
}

/** Sessions that let a payer who is signed in with you use saved cards on payment pages. */
export const customerSessions = {
  /** Add `token` to a payment link of the customer's order as `customer_session`. */
  create: post(
    SESSIONS,
    (customerUuid) => ({ path: { uuid: customerUuid }, reads: true }),
    'customer_session',
  ),
}

/** Cards and wallets that are bound to a customer. */
export const paymentTokens = {
  create: post(
    TOKENS,
    (customerUuid, token) => ({ path: { uuid: customerUuid }, body: { payment_token: token } }),
    'payment_token',
  ),
  /** All tokens of the customer, in one page. */
  list:
    (client: Client) =>
    (customerUuid: string, query?: Query<'get', typeof TOKENS>, options?: RequestOptions) =>
      wholeList(async () => {
        const data = await client.send('get', TOKENS, { path: { uuid: customerUuid }, query }, options)
        return withResponse(data.payment_tokens ?? [], data.lastResponse)
      }),
  delete: del(
    `${TOKENS}/{token}`,
    (customerUuid, token) => ({ path: { uuid: customerUuid, token } }),
    'payment_token',
  ),
}
