import type Stripe from 'stripe'
import type { Credentials } from './credentials.ts'
import { StripeError } from './errors.ts'
import { type Form, list, refuseUnknown, text } from './form.ts'
import { listPage, render } from './lists.ts'
import { readBalance, withStatus } from './objects/balance.ts'
import { createCustomer, deleteCustomer, updateCustomer } from './objects/customers.ts'
import { acceptDispute, updateDispute } from './objects/disputes.ts'
import { createFile, type Upload } from './objects/files.ts'
import {
  cancelPaymentIntent,
  capturePaymentIntent,
  confirmPaymentIntent,
  createPaymentIntent,
  updatePaymentIntent,
} from './objects/payment-intents.ts'
import {
  attachPaymentMethod,
  createPaymentMethod,
  detachPaymentMethod,
  updatePaymentMethod,
  useMethod,
} from './objects/payment-methods.ts'
import { createRefund, updateRefund } from './objects/refunds.ts'
import { cancelSetupIntent, confirmSetupIntent, createSetupIntent } from './objects/setup-intents.ts'
import type { TableName, Tx } from './store.ts'

export interface Call {
  readonly tx: Tx
  readonly form: Form
  /** From the path. */
  readonly id: string
  readonly origin: string
  readonly upload: Upload | null
  readonly credentials: Credentials
}

type Handler = (call: Call) => unknown

interface Route {
  readonly method: string
  readonly pattern: RegExp
  readonly handle: Handler
  /** Allowed to a publishable key: always, or with the client secret of the object. */
  readonly publishable?: 'always' | 'with_secret'
}

const PAGING = ['created', 'ending_before', 'limit', 'starting_after']

function route(line: string, handle: Handler, publishable?: Route['publishable']): Route {
  const [method = '', path = ''] = line.split(' ')
  const pattern = new RegExp(`^${path.replace(':id', '([^/]+)')}$`)
  return { method, pattern, handle, ...(publishable && { publishable }) }
}

function retrieve(name: TableName, param: string): Handler {
  return ({ tx, form, id }) => {
    refuseUnknown(form, ['client_secret'])
    return render(tx, tx.get(name, id, param).object, form)
  }
}

function listOf(name: TableName, url: string, filters: readonly string[]): Handler {
  return ({ tx, form }) => {
    refuseUnknown(form, [...PAGING, ...filters])
    return render(tx, listPage(tx, name, form, { url, filters }), form)
  }
}

/** A copy of the object with the expansions that the client asked for. */
function answering(change: (call: Call) => object): Handler {
  return (call) => render(call.tx, change(call), call.form)
}

const ROUTES: readonly Route[] = [
  route('GET /v1/account', ({ tx }) => accountOf(tx)),
  route('GET /v1/balance', ({ tx }) => readBalance(tx)),

  route(
    'POST /v1/customers',
    answering(({ tx, form }) => createCustomer(tx, form)),
  ),
  route('GET /v1/customers', listOf('customer', '/v1/customers', ['email'])),
  route('GET /v1/customers/:id', retrieve('customer', 'id')),
  route(
    'POST /v1/customers/:id',
    answering(({ tx, form, id }) => updateCustomer(tx, id, form)),
  ),
  route('DELETE /v1/customers/:id', ({ tx, id }) => deleteCustomer(tx, id)),
  route('GET /v1/customers/:id/payment_methods', ({ tx, form, id }) => {
    refuseUnknown(form, [...PAGING, 'type', 'allow_redisplay'])
    tx.get('customer', id, 'customer')
    const options = { url: `/v1/customers/${id}/payment_methods`, filters: ['customer', 'type'] }
    return render(tx, listPage(tx, 'payment_method', { ...form, customer: id }, options), form)
  }),

  route(
    'POST /v1/payment_methods',
    answering(({ tx, form }) => createPaymentMethod(tx, form)),
    'always',
  ),
  route('GET /v1/payment_methods', listOf('payment_method', '/v1/payment_methods', ['customer', 'type'])),
  route(
    'GET /v1/payment_methods/:id',
    answering(({ tx, id }) => useMethod(tx, id).object),
  ),
  route(
    'POST /v1/payment_methods/:id',
    answering(({ tx, form, id }) => updatePaymentMethod(tx, id, form)),
  ),
  route(
    'POST /v1/payment_methods/:id/attach',
    answering(({ tx, form, id }) => attachPaymentMethod(tx, id, form)),
  ),
  route(
    'POST /v1/payment_methods/:id/detach',
    answering(({ tx, id }) => detachPaymentMethod(tx, id)),
  ),

  route(
    'POST /v1/payment_intents',
    answering(({ tx, form, origin }) => createPaymentIntent(tx, form, origin)),
  ),
  route('GET /v1/payment_intents', listOf('payment_intent', '/v1/payment_intents', ['customer'])),
  route('GET /v1/payment_intents/:id', retrieve('payment_intent', 'intent'), 'with_secret'),
  route(
    'POST /v1/payment_intents/:id',
    answering(({ tx, form, id }) => updatePaymentIntent(tx, id, form)),
  ),
  route(
    'POST /v1/payment_intents/:id/confirm',
    answering(({ tx, form, id, origin }) => confirmPaymentIntent(tx, id, form, origin)),
    'with_secret',
  ),
  route(
    'POST /v1/payment_intents/:id/capture',
    answering(({ tx, form, id }) => capturePaymentIntent(tx, id, form)),
  ),
  route(
    'POST /v1/payment_intents/:id/cancel',
    answering(({ tx, form, id }) => cancelPaymentIntent(tx, id, form)),
  ),

  route(
    'POST /v1/setup_intents',
    answering(({ tx, form, origin }) => createSetupIntent(tx, form, origin)),
  ),
  route('GET /v1/setup_intents', listOf('setup_intent', '/v1/setup_intents', ['customer', 'payment_method'])),
  route('GET /v1/setup_intents/:id', retrieve('setup_intent', 'intent'), 'with_secret'),
  route(
    'POST /v1/setup_intents/:id/confirm',
    answering(({ tx, form, id, origin }) => confirmSetupIntent(tx, id, form, origin)),
    'with_secret',
  ),
  route(
    'POST /v1/setup_intents/:id/cancel',
    answering(({ tx, form, id }) => cancelSetupIntent(tx, id, form)),
  ),

  route('GET /v1/charges', listOf('charge', '/v1/charges', ['payment_intent', 'customer'])),
  route('GET /v1/charges/:id', retrieve('charge', 'charge')),

  route(
    'POST /v1/refunds',
    answering(({ tx, form }) => createRefund(tx, form)),
  ),
  route('GET /v1/refunds', listOf('refund', '/v1/refunds', ['payment_intent', 'charge'])),
  route('GET /v1/refunds/:id', retrieve('refund', 'refund')),
  route(
    'POST /v1/refunds/:id',
    answering(({ tx, form, id }) => updateRefund(tx, id, form)),
  ),

  route('GET /v1/disputes', listOf('dispute', '/v1/disputes', ['payment_intent', 'charge'])),
  route('GET /v1/disputes/:id', retrieve('dispute', 'dispute')),
  route(
    'POST /v1/disputes/:id',
    answering(({ tx, form, id }) => updateDispute(tx, id, form)),
  ),
  route(
    'POST /v1/disputes/:id/close',
    answering(({ tx, id }) => acceptDispute(tx, id)),
  ),

  route('POST /v1/files', ({ tx, upload }) => {
    if (upload === null) throw new StripeError(400, { type: 'invalid_request_error', message: 'No file' })
    return createFile(tx, upload)
  }),
  route('GET /v1/files/:id', retrieve('file', 'file')),

  route('GET /v1/balance_transactions', listBalanceTransactions),
  route('GET /v1/balance_transactions/:id', ({ tx, form, id }) =>
    render(tx, withStatus(tx, tx.get('balance_transaction', id).object), form),
  ),

  route('GET /v1/payouts', listOf('payout', '/v1/payouts', ['status'])),
  route('GET /v1/payouts/:id', retrieve('payout', 'payout')),

  route('GET /v1/events', listEvents),
  route('GET /v1/events/:id', retrieve('event', 'id')),
]

export function findRoute(method: string, path: string): { route: Route; id: string } | undefined {
  for (const each of ROUTES) {
    const match = each.method === method ? each.pattern.exec(path) : null
    if (match) return { route: each, id: decodeURIComponent(match[1] ?? '') }
  }
  return undefined
}

/** Throws unless the key may call the route. */
export function checkPermission({ publishable }: Route, { tx, form, id, credentials }: Call): void {
  if (!credentials.isPublishable || publishable === 'always') return
  const name = id.startsWith('seti_') ? 'setup_intent' : 'payment_intent'
  const secret = text(form, 'client_secret')
  if (
    publishable === 'with_secret' &&
    secret !== undefined &&
    tx.get(name, id).object.client_secret === secret
  )
    return
  throw new StripeError(
    403,
    {
      type: 'invalid_request_error',
      code: 'secret_key_required',
      message: 'This API call cannot be made with a publishable API key. Please use a secret API key.',
    },
    { isKept: false },
  )
}

function accountOf(tx: Tx): object {
  return {
    id: tx.store.id,
    object: 'account',
    business_profile: { name: 'Twin', url: null },
    business_type: 'company',
    capabilities: { card_payments: 'active', transfers: 'active' },
    charges_enabled: true,
    country: 'US',
    default_currency: 'usd',
    details_submitted: true,
    email: 'twin@example.org',
    metadata: {},
    payouts_enabled: true,
    settings: { dashboard: { display_name: 'Twin', timezone: 'Etc/UTC' } },
    type: 'standard',
  }
}

function listBalanceTransactions({ tx, form }: Call): unknown {
  refuseUnknown(form, [...PAGING, 'currency', 'payout', 'source', 'type'])
  const payout = text(form, 'payout')
  if (payout !== undefined) tx.get('payout', payout, 'payout')
  const page = listPage(tx, 'balance_transaction', form, {
    url: '/v1/balance_transactions',
    filters: ['currency', 'source', 'type'],
    ...(payout !== undefined && { ids: tx.store.indexed('balance_transaction', '$payout', payout) }),
  }) as { data: Stripe.BalanceTransaction[] }
  return render(tx, { ...page, data: page.data.map((each) => withStatus(tx, each)) }, form)
}

function listEvents({ tx, form }: Call): unknown {
  refuseUnknown(form, [...PAGING, 'delivery_success', 'type', 'types'])
  const types = [...list(form, 'types'), ...list(form, 'type')]
  const accepts = ({ type }: Stripe.Event): boolean =>
    types.length === 0 ||
    types.some((each) => each === type || (each.endsWith('*') && type.startsWith(each.slice(0, -1))))
  return listPage(tx, 'event', form, { url: '/v1/events', accepts })
}
