import { get, list, post, put } from '../methods.ts'

const WALLETS = '/svc/ts/api/v1/openapi/digital_wallets'
const QR = `${WALLETS}/{id}/addresses/{blockchain}/qr` as const
const FEE_RULE = '/api/v1/openapi/digital_wallets/fee_rule'

export const wallets = {
  create: post(WALLETS, (wallet) => ({ body: { digital_wallet: wallet } }), 'digital_wallet'),
  list: list(WALLETS, (query?) => ({ query }), 'digital_wallets'),
  get: get(`${WALLETS}/{id}`, (id) => ({ path: { id } }), 'digital_wallet'),
  listTransactions: list(`${WALLETS}/transactions`, (query) => ({ query }), 'transactions'),
  /** A deposit address as an SVG picture. */
  getAddressQr: get(QR, (id, blockchain) => ({ path: { id, blockchain } }), 'address_qr'),
}

/** What deposits cost. */
export const feeRules = {
  /** This list has no pages. */
  list: get(FEE_RULE, (query) => ({ query }), 'fee_rules'),
  set: put(FEE_RULE, (rule) => ({ body: { fee_rule: rule } }), 'fee_rules'),
}
