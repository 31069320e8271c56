import { type Client, type Query, type RequestOptions, withResponse } from '../client.ts'
import { del, get, list, post, postBody, put } from '../methods.ts'
import { wholeList } from '../list.ts'

const SETTINGS = '/svc/billing/api/v1/openapi/portal'

/** The settings of the customer portal, and sessions of customers in it. */
export const portal = {
  get: get(SETTINGS, () => ({}), 'portal'),
  /** Members that are left out stay; `allow` is replaced as a whole. */
  update: put(SETTINGS, (settings) => ({ body: { portal: settings } }), 'portal'),
  /** Send the customer to `url`, or call the portal with `token`: `new Portal({ token, baseUrl })`. */
  createSession: post(
    `${SETTINGS}/sessions`,
    (session) => ({ body: { portal_session: session }, keyless: true }),
    'portal_session',
  ),
}

const PORTAL = '/svc/portal/api/v1/openapi'
const PLANS = `${PORTAL}/plans` as const
const INVOICES = `${PORTAL}/invoices` as const
const TOKENS = `${PORTAL}/payment_tokens` as const
const DETAILS = `${PORTAL}/billing_details` as const

export const overview = {
  /** Returns `{overview, plans, next_bills, due_orders}`: the customer, what customers may do, the plans, and what is due. */
  get: get(`${PORTAL}/overview`, () => ({})),
}

export const ownPlans = {
  list: list(PLANS, (query?) => ({ query }), 'plans'),
  usage: get(`${PLANS}/{id}/usage`, (id) => ({ path: { id } }), 'usage'),
  /** Returns `{plan, change, order?}`. */
  change: post(`${PLANS}/{id}/change`, (id, change) => ({ path: { id }, body: { change } })),
  /** What the change would bill, and the next three orders. Nothing is stored. */
  previewChange: post(`${PLANS}/{id}/change/preview`, (id, change) => ({
    path: { id },
    body: { change },
    reads: true,
  })),
  pause: postBody(`${PLANS}/{id}/pause`, (id, body?) => ({ path: { id }, body }), 'plan'),
  resume: post(`${PLANS}/{id}/resume`, (id) => ({ path: { id } }), 'plan'),
  /** At the end of the period. */
  cancel: postBody(`${PLANS}/{id}/cancel`, (id, body) => ({ path: { id }, body }), 'plan'),
  uncancel: post(`${PLANS}/{id}/uncancel`, (id) => ({ path: { id } }), 'plan'),
  acceptOffer: post(`${PLANS}/{id}/accept_offer`, (id) => ({ path: { id } }), 'plan'),
  reactivate: postBody(`${PLANS}/{id}/reactivate`, (id, body) => ({ path: { id }, body }), 'plan'),
}

export const ownInvoices = {
  list: list(INVOICES, (query?) => ({ query }), 'invoices'),
  /** A `Response` whose body can be streamed. */
  document:
    (client: Client) =>
    (
      id: string,
      format: NonNullable<Query<'get', `${typeof INVOICES}/{id}/document`>['format']> = 'pdf',
      options?: RequestOptions,
    ) =>
      client.download(`${INVOICES}/{id}/document`, { path: { id }, query: { format } }, options),
  /** Returns `{order, transaction, next_action?}`. */
  pay: postBody(`${INVOICES}/{id}/pay`, (id, body) => ({ path: { id }, body })),
}

export const ownPaymentTokens = {
  /** All tokens of the customer, in one page. */
  list: (client: Client) => (options?: RequestOptions) =>
    wholeList(async () => {
      const data = await client.send('get', TOKENS, {}, options)
      return withResponse(data.payment_tokens ?? [], data.lastResponse)
    }),
  create: post(TOKENS, (token) => ({ body: { payment_token: token } }), 'payment_token'),
  makeDefault: post(`${TOKENS}/{token}/default`, (token) => ({ path: { token } }), 'payment_token'),
  delete: del(`${TOKENS}/{token}`, (token) => ({ path: { token } }), 'payment_token'),
}

export const ownBillingDetails = {
  get: get(DETAILS, () => ({}), 'billing_details'),
  update: put(DETAILS, (details) => ({ body: { billing_details: details } }), 'billing_details'),
}
