import { del, get, list, post, postBody, put } from '../methods.ts'

const ACCOUNTS = '/svc/account/api/v1/openapi/acquirer_accounts'
const ACCOUNT = `${ACCOUNTS}/{id}` as const
const ROUTING = '/svc/account/api/v1/openapi/routing'

/** The accounts at acquirers that payments go through. */
export const acquirerAccounts = {
  /** The acquirer is asked whether it accepts the credentials. */
  create: post(ACCOUNTS, (account) => ({ body: { acquirer_account: account } }), 'acquirer_account'),
  list: list(ACCOUNTS, (query?) => ({ query }), 'acquirer_accounts'),
  get: get(ACCOUNT, (id) => ({ path: { id } }), 'acquirer_account'),
  update: put(
    ACCOUNT,
    (id, account) => ({ path: { id }, body: { acquirer_account: account } }),
    'acquirer_account',
  ),
  /** The account takes no new payments. Those that it has are finished, captured and refunded there. */
  disable: del(ACCOUNT, (id) => ({ path: { id } }), 'acquirer_account'),
}

/** The rules that choose the account of a payment. */
export const paymentRouting = {
  get: get(ROUTING, () => ({}), 'routing'),
  set: put(ROUTING, (routing) => ({ body: { routing } }), 'routing'),
  /** Which account a payment would go to, and why. Nothing is stored. */
  preview: postBody(`${ROUTING}/preview`, (payment) => ({ body: payment, reads: true })),
}
