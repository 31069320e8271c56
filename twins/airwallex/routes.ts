import type { Call } from './call.ts'
import {
  createConsent,
  createCustomer,
  customerSecret,
  disableConsent,
  listConsents,
  listCustomers,
  readConsent,
  readCustomer,
  verifyConsent,
} from './customers.ts'
import {
  acceptDispute,
  challengeDispute,
  decideDispute,
  escalateDispute,
  listDisputes,
  openDispute,
  readDispute,
  STAGES,
  uploadFile,
} from './disputes.ts'
import { exactMinor } from './amounts.ts'
import { ApiError } from './errors.ts'
import {
  cancelIntent,
  captureIntent,
  confirmIntent,
  createIntent,
  listIntents,
  readIntent,
} from './intents.ts'
import { openedTypes } from './methods.ts'
import { shopperAction } from './payer.ts'
import { createRefund, listRefunds, readRefund } from './refunds.ts'
import { listRecords, listSettlements } from './settlements.ts'

/** `repeats`: The body has a `request_id`. `status`: Of success. */
export interface Route {
  readonly handle: (call: Call) => unknown
  readonly status: 200 | 201
  readonly repeats: boolean
}

const get = (handle: Route['handle']): Route => ({ handle, status: 200, repeats: false })
const create = (handle: Route['handle']): Route => ({ handle, status: 201, repeats: true })
const act = (handle: Route['handle']): Route => ({ handle, status: 200, repeats: true })
const simulate = (handle: Route['handle']): Route => ({ handle, status: 200, repeats: false })

/** `:id` stands for one segment. */
const ROUTES: Readonly<Record<string, Route>> = {
  'GET account': get(({ tx }) => ({ id: tx.store.id, status: 'ACTIVE', nickname: 'A shop' })),
  'GET pa/config/payment_method_types': get(listTypes),
  'GET pa/config/applepay/registered_domains': get(({ tx }) => ({ items: listDomains(tx) })),
  'POST pa/config/applepay/registered_domains/add_items': { ...act(addDomains), repeats: false },
  'POST pa/payment_intents/create': create(createIntent),
  'GET pa/payment_intents': get(listIntents),
  'GET pa/payment_intents/:id': get(readIntent),
  'POST pa/payment_intents/:id/confirm': act(confirmIntent),
  'POST pa/payment_intents/:id/capture': act(captureIntent),
  'POST pa/payment_intents/:id/cancel': act(cancelIntent),
  'GET pa/payment_attempts': get(listAttempts),
  'POST pa/customers/create': create(createCustomer),
  'GET pa/customers': get(listCustomers),
  'GET pa/customers/:id': get(readCustomer),
  'GET pa/customers/:id/generate_client_secret': get(customerSecret),
  'POST pa/payment_consents/create': create(createConsent),
  'GET pa/payment_consents': get(listConsents),
  'GET pa/payment_consents/:id': get(readConsent),
  'POST pa/payment_consents/:id/verify': act(verifyConsent),
  'POST pa/payment_consents/:id/disable': act(disableConsent),
  'POST pa/refunds/create': create(createRefund),
  'GET pa/refunds': get(listRefunds),
  'GET pa/refunds/:id': get(readRefund),
  'GET pa/payment_disputes': get(listDisputes),
  'GET pa/payment_disputes/:id': get(readDispute),
  'POST pa/payment_disputes/:id/accept': act(acceptDispute),
  'POST pa/payment_disputes/:id/challenge': act(challengeDispute),
  'POST files/upload': { handle: uploadFile, status: 201, repeats: false },
  'GET pa/financial/settlements': get(listSettlements),
  'GET pa/settlement_records': get(listRecords),
  'POST simulation/pa/shopper_actions/pay': simulate((call) => shopperAction(call, true)),
  'POST simulation/pa/shopper_actions/verify': simulate((call) => shopperAction(call, true)),
  'POST simulation/pa/shopper_actions/reject': simulate((call) => shopperAction(call, false)),
  'POST simulation/pa/payment_disputes/create': simulate(simulateDispute),
  'POST simulation/pa/payment_disputes/:id/resolve': simulate(({ tx, id, body }) =>
    decideDispute(tx, id, body.choice('status', ['WON', 'LOST', 'REVERSED']) ?? 'WON'),
  ),
  'POST simulation/pa/payment_disputes/:id/escalate': simulate(({ tx, id }) => escalateDispute(tx, id)),
}

const ID = /^(int|cus|cst|rfd|dis|att)_\w{1,60}$/

export function findRoute(method: string, path: string): { readonly route: Route; readonly id: string } {
  const segments = path.slice('/api/v1/'.length).split('/')
  const at = segments.findIndex((segment) => ID.test(segment))
  const id = segments[at] ?? ''
  const pattern = segments.map((segment, index) => (index === at ? ':id' : segment)).join('/')
  const route = ROUTES[`${method} ${pattern}`]
  if (route === undefined) throw new ApiError(404, 'not_found', 'The requested endpoint does not exist')
  return { route, id }
}

function listTypes({ query, settings }: Call) {
  const mode = query.get('transaction_mode')
  const currency = query.get('transaction_currency')
  const types = openedTypes(settings, mode)
  return {
    has_more: false,
    items: types.filter(({ transaction_currencies: taken }) => currency === null || taken.includes(currency)),
  }
}

function listAttempts({ tx, query }: Call) {
  const { object } = tx.get('intent', query.get('payment_intent_id') ?? '')
  const attempt = object.latest_payment_attempt
  return { has_more: false, items: attempt === undefined ? [] : [attempt] }
}

/** Whether Airwallex refuses a domain that it has is not documented; this is the harder case. */
function addDomains({ tx, body }: Call) {
  const { items } = body.json
  if (!Array.isArray(items) || items.length === 0) {
    throw new ApiError(400, 'validation_error', 'items must not be empty', { source: 'items' })
  }
  const names = items.map(String)
  const known = names.find((name) => tx.find('domain', name) !== undefined)
  if (known !== undefined) {
    throw new ApiError(400, 'resource_already_exists', `${known} is registered already`, { source: 'items' })
  }
  const registered = listDomains(tx)
  for (const id of names) tx.insert('domain', { id })
  return { items: [...registered, ...names] }
}

const listDomains = (tx: Call['tx']) => [...tx.store.rows('domain').keys()]

function simulateDispute({ tx, body }: Call) {
  const id = body.required('payment_intent_id')
  const amount = body.number('amount')
  const { currency } = tx.get('intent', id).object
  return openDispute(tx, id, {
    stage: body.choice('stage', STAGES) ?? 'CHARGEBACK',
    reason: body.text('reason') ?? 'FRAUD',
    ...(amount !== undefined && { minor: exactMinor(amount, currency) }),
  })
}
