import { type Body, type Client, pick, type Query, type RequestOptions } from '../client.ts'
import { listOf } from '../list.ts'

const ACCOUNTS = '/svc/account/api/v1/openapi/acquirer_accounts'
const ACCOUNT = `${ACCOUNTS}/{id}` as const
const ROUTING = '/svc/account/api/v1/openapi/routing'

/** The accounts at acquirers that payments go through. */
export function acquirerAccountsOf(client: Client) {
  return {
    /** The acquirer is asked whether it accepts the credentials. */
    create: (account: Body<'post', typeof ACCOUNTS>['acquirer_account'], options?: RequestOptions) =>
      pick(
        client.send('post', ACCOUNTS, { body: { acquirer_account: account } }, options),
        'acquirer_account',
      ),
    list: (query?: Query<'get', typeof ACCOUNTS>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', ACCOUNTS, { query: page }, options),
        (data) => data.acquirer_accounts,
      ),
    get: (id: string, options?: RequestOptions) =>
      pick(client.send('get', ACCOUNT, { path: { id } }, options), 'acquirer_account'),
    update: (
      id: string,
      account: Body<'put', typeof ACCOUNT>['acquirer_account'],
      options?: RequestOptions,
    ) =>
      pick(
        client.send('put', ACCOUNT, { path: { id }, body: { acquirer_account: account } }, options),
        'acquirer_account',
      ),
    /** The account takes no new payments. Those that it has are finished, captured and refunded there. */
    disable: (id: string, options?: RequestOptions) =>
      pick(client.send('delete', ACCOUNT, { path: { id } }, options), 'acquirer_account'),
  }
}

/** The rules that choose the account of a payment. */
export function routingOf(client: Client) {
  return {
    get: (options?: RequestOptions) => pick(client.send('get', ROUTING, {}, options), 'routing'),
    set: (routing: Body<'put', typeof ROUTING>['routing'], options?: RequestOptions) =>
      pick(client.send('put', ROUTING, { body: { routing } }, options), 'routing'),
    /** Which account a payment would go to, and why. Nothing is stored. */
    preview: (payment: Body<'post', `${typeof ROUTING}/preview`>, options?: RequestOptions) =>
      client.send('post', `${ROUTING}/preview`, { body: payment, reads: true }, options),
  }
}
