import { type Body, type Client, pick, type Query, type RequestOptions } from '../client.ts'
import { listOf } from '../list.ts'

const WALLETS = '/svc/ts/api/v1/openapi/digital_wallets'
const QR = `${WALLETS}/{id}/addresses/{blockchain}/qr` as const
const FEE_RULE = '/api/v1/openapi/digital_wallets/fee_rule'

export function walletsOf(client: Client) {
  return {
    create: (wallet: Body<'post', typeof WALLETS>['digital_wallet'], options?: RequestOptions) =>
      pick(client.send('post', WALLETS, { body: { digital_wallet: wallet } }, options), 'digital_wallet'),
    list: (query?: Query<'get', typeof WALLETS>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', WALLETS, { query: page }, options),
        (data) => data.digital_wallets,
      ),
    get: (id: string, options?: RequestOptions) =>
      pick(client.send('get', `${WALLETS}/{id}`, { path: { id } }, options), 'digital_wallet'),
    listTransactions: (query: Query<'get', `${typeof WALLETS}/transactions`>, options?: RequestOptions) =>
      listOf(
        query,
        (page) => client.send('get', `${WALLETS}/transactions`, { query: page }, options),
        ({ transactions }) => transactions,
      ),
    /** A deposit address as an SVG picture. */
    getAddressQr: (id: string, blockchain: string, options?: RequestOptions) =>
      pick(client.send('get', QR, { path: { id, blockchain } }, options), 'address_qr'),
  }
}

/** What deposits cost. */
export function feeRulesOf(client: Client) {
  return {
    /** This list has no pages. */
    list: (query: Query<'get', typeof FEE_RULE>, options?: RequestOptions) =>
      pick(client.send('get', FEE_RULE, { query }, options), 'fee_rules'),
    set: (rule: Body<'put', typeof FEE_RULE>['fee_rule'], options?: RequestOptions) =>
      pick(client.send('put', FEE_RULE, { body: { fee_rule: rule } }, options), 'fee_rules'),
  }
}
