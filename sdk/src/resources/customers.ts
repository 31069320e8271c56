import { type Body, type Client, pick, type Query, type RequestOptions, withResponse } from '../client.ts'
import { listOf, wholeList } from '../list.ts'

const CUSTOMERS = '/svc/payment/api/v1/openapi/customers'
const TOKENS = `${CUSTOMERS}/{uuid}/payment_tokens` as const

export function customersOf(client: Client) {
  return {
    create: (customer: Body<'post', typeof CUSTOMERS>['customer'], options?: RequestOptions) =>
      pick(client.send('post', CUSTOMERS, { body: { customer } }, options), 'customer'),
    /** Replaces the profile. `uuid` is the id of the customer. */
    update: (uuid: string, customer: Body<'put', `${typeof CUSTOMERS}/{id}`>, options?: RequestOptions) =>
      pick(
        client.send('put', `${CUSTOMERS}/{id}`, { path: { id: uuid }, body: customer }, options),
        'customer',
      ),
    get: (uuid: string, options?: RequestOptions) =>
      pick(client.send('get', `${CUSTOMERS}/{id}`, { path: { id: uuid } }, options), 'customer'),
    getByReference: (referenceNumber: string, options?: RequestOptions) =>
      pick(
        client.send('get', `${CUSTOMERS}/ref/{id}`, { path: { id: referenceNumber } }, options),
        'customer',
      ),
    list: (query?: Query<'get', typeof CUSTOMERS>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', CUSTOMERS, { query: page }, options),
        ({ customers }) => customers,
      ),
  }
}

/** Sessions that let a payer who is signed in with you use saved cards on payment pages. */
export function customerSessionsOf(client: Client) {
  const path = `${CUSTOMERS}/{uuid}/sessions` as const
  return {
    /** Add `token` to a payment link of the customer's order as `customer_session`. */
    create: (customerUuid: string, options?: RequestOptions) =>
      pick(
        client.send('post', path, { path: { uuid: customerUuid }, reads: true }, options),
        'customer_session',
      ),
  }
}

/** Cards and wallets that are bound to a customer. */
export function paymentTokensOf(client: Client) {
  return {
    create: (
      customerUuid: string,
      token: Body<'post', typeof TOKENS>['payment_token'],
      options?: RequestOptions,
    ) =>
      pick(
        client.send(
          'post',
          TOKENS,
          { path: { uuid: customerUuid }, body: { payment_token: token } },
          options,
        ),
        'payment_token',
      ),
    /** All tokens of the customer, in one page. */
    list: (customerUuid: string, query?: Query<'get', typeof TOKENS>, options?: RequestOptions) =>
      wholeList(async () => {
        const data = await client.send('get', TOKENS, { path: { uuid: customerUuid }, query }, options)
        return withResponse(data.payment_tokens ?? [], data.lastResponse)
      }),
    delete: (customerUuid: string, token: string, options?: RequestOptions) =>
      pick(
        client.send('delete', `${TOKENS}/{token}`, { path: { uuid: customerUuid, token } }, options),
        'payment_token',
      ),
  }
}
