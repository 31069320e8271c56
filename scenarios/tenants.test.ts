import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { startReceiver } from '#platform/testing/receiver'
import { until } from '#platform/testing/until'
import { walletSettings } from './harness/chains.ts'
import { type ApiReply, Client, PAYMENTS } from './harness/client.ts'
import { createBusiness } from './harness/command-line.ts'
import { operationsOf } from './harness/operations.ts'
import { startScenario } from './harness/scenario.ts'
import { connectStripe, startStripeTwin } from './harness/stripe-twin.ts'

// For every operation that takes an id, a key of another business must get the same reply for an existing object as for
// one that does not exist.
const receiver = await startReceiver()
const { service, client } = await startScenario({
  env: { ALLOW_PRIVATE_WEBHOOKS: '1', ...(await walletSettings()) },
})
const stranger = new Client(await createBusiness(service))
const operations = await operationsOf(client)

const RECURRING = `${PAYMENTS}/recurring_payments`
const EVENTS = '/svc/event/api/v1/openapi'
const CARDS = '/svc/ts/api/v1/openapi/cards'
const WALLETS = '/svc/ts/api/v1/openapi/digital_wallets'
const ACCOUNTS = '/svc/account/api/v1/openapi/acquirer_accounts'
const API_KEYS = '/svc/account/api/v1/openapi/api_keys'
const LOGS = '/svc/log/api/v1/openapi'
const twin = await startStripeTwin()

type Ids = Record<
  | 'customer'
  | 'customerReference'
  | 'token'
  | 'order'
  | 'orderReference'
  | 'transaction'
  | 'transactionReference'
  | 'plan'
  | 'planOrder'
  | 'item'
  | 'config'
  | 'endpoint'
  | 'delivery'
  | 'card'
  | 'cardReference'
  | 'limit'
  | 'authorization'
  | 'wallet'
  | 'acquirerAccount'
  | 'request'
  | 'apiKey',
  string
>
const USER = 'user-1'
type RequestOf = (ids: Ids, own: Ids) => { path: string; body?: unknown }

/** Creates one object of each kind for the business of `merchant`. */
async function createObjects(merchant: Client): Promise<Ids> {
  const customer = await merchant.createCustomer()
  const { token } = await merchant.bindCard(customer.uuid, '4242424242424242')
  const order = await merchant.createOrder({ customer_uuid: customer.uuid })
  const reference = `transaction-${randomUUID()}`
  const paid = await merchant.pay(order.number, token, { amount: 10, reference_id: reference })
  const item = await merchant.createItem(5)
  const { recurring_billing_config } = await merchant.ok('POST', `${RECURRING}/billing_configs`, {
    recurring_billing_config: { billing_interval: 'month', billing_type: 'anniversary' },
  })
  const plan = await merchant.createPlan({
    customer_uuid: customer.uuid,
    recurring_cycles: [
      {
        billing_count: null,
        recurring_billing_config: recurring_billing_config.id,
        recurring_items: [{ recurring_item_id: item, quantity: 1 }],
      },
    ],
  })
  await merchant.advanceBy('PT1M')
  const { current_order } = await merchant.getPlan(plan.id)
  const { endpoint } = await merchant.ok('POST', `${EVENTS}/endpoints`, { endpoint: { url: receiver.url } })
  await merchant.createOrder()
  const delivery = await deliveryTo(merchant, receiver.url)
  const card = await createCard(merchant)
  const { digital_wallet } = await merchant.ok('POST', WALLETS, { digital_wallet: { p_user_id: USER } })
  return {
    customer: customer.uuid,
    customerReference: customer.reference_number,
    token,
    order: order.number,
    orderReference: order.reference_number,
    transaction: paid.data.transaction.uuid,
    transactionReference: reference,
    plan: plan.id,
    planOrder: current_order.order_number,
    item,
    config: recurring_billing_config.id,
    endpoint: endpoint.id,
    delivery,
    ...card,
    wallet: digital_wallet.id,
    acquirerAccount: await connectedAccount(merchant),
    request: await loggedRequest(merchant),
    apiKey: await madeKey(merchant),
  }
}

const connectedAccounts = new Map<Client, Promise<string>>()

/** A business can have only 50 accounts, so the tests share one for each. */
function connectedAccount(merchant: Client): Promise<string> {
  const connecting = connectedAccounts.get(merchant) ?? connectStripe(merchant, twin.url).then(({ id }) => id)
  connectedAccounts.set(merchant, connecting)
  return connecting
}

async function loggedRequest(merchant: Client): Promise<string> {
  const id = `req-${randomUUID()}`
  await merchant.call('GET', CARDS, undefined, { headers: { 'x-request-id': id } })
  await until(async () => (await merchant.call('GET', `${LOGS}/requests/${id}`)).status === 200)
  return id
}

const madeKeys = new Map<Client, Promise<string>>()

/** An app can have only 100 keys, so the tests share one for each. */
function madeKey(merchant: Client): Promise<string> {
  const make = async () => {
    const { api_key } = await merchant.ok('POST', API_KEYS, {
      api_key: { name: 'x', scopes: ['payments:read'] },
    })
    return api_key.id as string
  }
  const making = madeKeys.get(merchant) ?? make()
  madeKeys.set(merchant, making)
  return making
}

/** A linked card with a limit and an authorization. */
async function createCard(
  merchant: Client,
): Promise<Pick<Ids, 'card' | 'cardReference' | 'limit' | 'authorization'>> {
  const reference = `card-${randomUUID()}`
  const { card } = await merchant.ok('POST', CARDS, {
    card: {
      reference_id: reference,
      type: 'virtual',
      settlement_currency: 'HKD',
      mode: 'B2C',
      limits: [{ period: 'Daily', limit_amount: '100.00' }],
    },
  })
  await merchant.ok('POST', `${CARDS}/link`, { card_reference_id: reference, p_user_id: USER })
  const { authorization } = await merchant.ok('POST', `${CARDS}/${card.id}/authorizations`, authorize())
  return {
    card: card.id,
    cardReference: reference,
    limit: card.limits[0].id,
    authorization: authorization.uuid,
  }
}

function authorize() {
  return {
    authorization: {
      amount: '10.00',
      currency: 'HKD',
      merchant: { name: 'Shop', mcc: '5411', country: 'HK' },
      reference_id: randomUUID(),
    },
  }
}

/** The id of a finished delivery, which can be sent again. */
async function deliveryTo(merchant: Client, url: string): Promise<string> {
  const deadline = Date.now() + 10_000
  while (Date.now() < deadline) {
    const { deliveries } = await merchant.ok('GET', `${EVENTS}/deliveries?state=delivered`)
    const delivery = deliveries.find((candidate: { url: string }) => candidate.url === url)
    if (delivery !== undefined) return delivery.id
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('no event was delivered in 10 seconds')
}

const order = (ids: Ids) => ({ number: ids.order })
const plan = (own: Ids, members: object) => ({
  plan: {
    name: 'Plan',
    customer_uuid: own.customer,
    default_collection_method: 'charge_automatically',
    payment_retry_count: 1,
    payment_retry_day_period: 1,
    recurring_cycles: [
      {
        billing_count: 1,
        recurring_billing_config: own.config,
        recurring_items: [{ recurring_item_id: own.item, quantity: 1 }],
      },
    ],
    ...members,
  },
})
const cycle = (config: string, item: string) => ({
  recurring_cycles: [
    {
      billing_count: 1,
      recurring_billing_config: config,
      recurring_items: [{ recurring_item_id: item, quantity: 1 }],
    },
  ],
})
const limits = (id: string) => ({ limits: [{ id, period: 'Daily', limit_amount: '50.00' }] })
const newOrder = (members: object) => ({
  order: { reference_number: `tenant-${randomUUID()}`, currency: 'HKD', initial_total: 1, ...members },
})

/** One request for each id that an operation takes. `own` holds the objects of the caller. */
const REQUESTS: Record<string, RequestOf[]> = {
  [`PUT ${PAYMENTS}/customers/{id}`]: [
    (ids) => ({ path: `${PAYMENTS}/customers/${ids.customer}`, body: { name: 'x', phone: '1' } }),
    (ids, own) => ({
      path: `${PAYMENTS}/customers/${own.customer}`,
      body: { name: 'x', phone: '1', default_payment_token: ids.token },
    }),
  ],
  [`GET ${PAYMENTS}/customers/ref/{id}`]: [
    (ids) => ({ path: `${PAYMENTS}/customers/ref/${ids.customerReference}` }),
  ],
  [`GET ${PAYMENTS}/customers/{uuid}/payment_tokens`]: [
    (ids) => ({ path: `${PAYMENTS}/customers/${ids.customer}/payment_tokens` }),
  ],
  [`POST ${PAYMENTS}/customers/{uuid}/payment_tokens`]: [
    (ids) => ({
      path: `${PAYMENTS}/customers/${ids.customer}/payment_tokens`,
      body: { payment_token: { token_type: 'WalletAPayAutoDebit' } },
    }),
  ],
  [`DELETE ${PAYMENTS}/customers/{uuid}/payment_tokens/{token}`]: [
    (ids) => ({ path: `${PAYMENTS}/customers/${ids.customer}/payment_tokens/${ids.token}` }),
    (ids, own) => ({ path: `${PAYMENTS}/customers/${own.customer}/payment_tokens/${ids.token}` }),
  ],
  [`POST ${PAYMENTS}/orders`]: [
    (ids) => ({ path: `${PAYMENTS}/orders`, body: newOrder({ customer_uuid: ids.customer }) }),
  ],
  [`POST ${PAYMENTS}/orders/check`]: [
    (ids) => ({ path: `${PAYMENTS}/orders/check`, body: { order: order(ids) } }),
    (ids) => ({
      path: `${PAYMENTS}/orders/check`,
      body: { order: { reference_number: ids.orderReference } },
    }),
    (ids) => ({ path: `${PAYMENTS}/orders/check`, body: { transaction: { uuid: ids.transaction } } }),
  ],
  [`POST ${PAYMENTS}/orders/pay`]: [
    (ids, own) => ({
      path: `${PAYMENTS}/orders/pay`,
      body: { order: order(ids), transaction: { type: 'Sales', payment_token: own.token } },
    }),
    (ids, own) => ({
      path: `${PAYMENTS}/orders/pay`,
      body: { order: order(own), transaction: { type: 'Sales', payment_token: ids.token } },
    }),
  ],
  [`POST ${PAYMENTS}/orders/void`]: [
    (ids) => ({ path: `${PAYMENTS}/orders/void`, body: { order: order(ids) } }),
  ],
  [`POST ${PAYMENTS}/transactions/decide`]: [
    (ids) => ({
      path: `${PAYMENTS}/transactions/decide`,
      body: { transaction: { uuid: ids.transaction }, outcome: 'failed' },
    }),
  ],
  ...Object.fromEntries(
    ['capture', 'refund', 'void'].map((operation) => [
      `POST ${PAYMENTS}/transactions/${operation}`,
      [
        (ids: Ids) => ({
          path: `${PAYMENTS}/transactions/${operation}`,
          body: { transaction: { uuid: ids.transaction } },
        }),
        (ids: Ids) => ({
          path: `${PAYMENTS}/transactions/${operation}`,
          body: { transaction: { reference_id: ids.transactionReference } },
        }),
      ],
    ]),
  ),
  [`POST ${RECURRING}/plan`]: [
    (ids, own) => ({ path: `${RECURRING}/plan`, body: plan(own, { customer_uuid: ids.customer }) }),
    (ids, own) => ({ path: `${RECURRING}/plan`, body: plan(own, cycle(ids.config, own.item)) }),
    (ids, own) => ({ path: `${RECURRING}/plan`, body: plan(own, cycle(own.config, ids.item)) }),
  ],
  [`POST ${RECURRING}/plan/preview`]: [
    (ids, own) => ({
      path: `${RECURRING}/plan/preview`,
      body: plan(own, { customer_uuid: ids.customer }),
    }),
    (ids, own) => ({ path: `${RECURRING}/plan/preview`, body: plan(own, cycle(own.config, ids.item)) }),
  ],
  [`GET ${RECURRING}/plan/{id}`]: [(ids) => ({ path: `${RECURRING}/plan/${ids.plan}` })],
  [`PUT ${RECURRING}/plan/{id}`]: [
    (ids) => ({ path: `${RECURRING}/plan/${ids.plan}`, body: { plan: { name: 'Other' } } }),
  ],
  [`POST ${RECURRING}/plan/{id}/credit`]: [
    (ids) => ({ path: `${RECURRING}/plan/${ids.plan}/credit`, body: { amount: 1 } }),
  ],
  [`POST ${RECURRING}/plan/{id}/cancel`]: [
    (ids) => ({ path: `${RECURRING}/plan/${ids.plan}/cancel`, body: {} }),
  ],
  ...Object.fromEntries(
    ['pause', 'resume'].map((operation) => [
      `POST ${RECURRING}/plan/{id}/${operation}`,
      [(ids: Ids) => ({ path: `${RECURRING}/plan/${ids.plan}/${operation}` })],
    ]),
  ),
  [`DELETE ${EVENTS}/endpoints/{id}`]: [(ids) => ({ path: `${EVENTS}/endpoints/${ids.endpoint}` })],
  [`POST ${EVENTS}/endpoints/{id}/rotate_secret`]: [
    (ids) => ({ path: `${EVENTS}/endpoints/${ids.endpoint}/rotate_secret` }),
  ],
  [`POST ${EVENTS}/deliveries/{id}/redeliver`]: [
    (ids) => ({ path: `${EVENTS}/deliveries/${ids.delivery}/redeliver` }),
  ],
  [`POST ${CARDS}/link`]: [
    (ids) => ({ path: `${CARDS}/link`, body: { card_reference_id: ids.cardReference, p_user_id: USER } }),
  ],
  [`GET ${CARDS}/{id}`]: [(ids) => ({ path: `${CARDS}/${ids.card}` })],
  [`PUT ${CARDS}/{id}`]: [(ids) => ({ path: `${CARDS}/${ids.card}`, body: { card: { title: 'Travel' } } })],
  [`POST ${CARDS}/{id}/status`]: [
    (ids) => ({ path: `${CARDS}/${ids.card}/status`, body: { status: 'Locked' } }),
  ],
  [`POST ${CARDS}/{id}/limits`]: [
    (ids) => ({
      path: `${CARDS}/${ids.card}/limits`,
      body: { limit: { period: 'Monthly', limit_amount: '5.00' } },
    }),
  ],
  [`PUT ${CARDS}/{id}/limits`]: [
    (ids) => ({ path: `${CARDS}/${ids.card}/limits`, body: limits(ids.limit) }),
    (ids, own) => ({ path: `${CARDS}/${own.card}/limits`, body: limits(ids.limit) }),
  ],
  [`GET ${CARDS}/{id}/limit/history`]: [
    (ids) => ({ path: `${CARDS}/${ids.card}/limit/history` }),
    (ids) => ({ path: `${CARDS}/${ids.limit}/limit/history` }),
  ],
  [`POST ${CARDS}/{id}/authorizations`]: [
    (ids) => ({ path: `${CARDS}/${ids.card}/authorizations`, body: authorize() }),
  ],
  [`GET ${CARDS}/{id}/authorizations`]: [(ids) => ({ path: `${CARDS}/${ids.card}/authorizations` })],
  ...Object.fromEntries(
    ['capture', 'refund', 'reverse'].map((operation) => [
      `POST ${CARDS}/authorizations/{uuid}/${operation}`,
      [(ids: Ids) => ({ path: `${CARDS}/authorizations/${ids.authorization}/${operation}`, body: {} })],
    ]),
  ),
  [`GET ${WALLETS}/transactions`]: [
    (ids) => ({ path: `${WALLETS}/transactions?p_user_id=${USER}&wallet_id=${ids.wallet}` }),
  ],
  [`GET ${WALLETS}/{id}/addresses/{blockchain}/qr`]: [
    (ids) => ({ path: `${WALLETS}/${ids.wallet}/addresses/test-chain/qr` }),
  ],
  [`GET ${ACCOUNTS}/{id}`]: [(ids) => ({ path: `${ACCOUNTS}/${ids.acquirerAccount}` })],
  [`PUT ${ACCOUNTS}/{id}`]: [
    (ids) => ({
      path: `${ACCOUNTS}/${ids.acquirerAccount}`,
      body: { acquirer_account: { name: 'Other' } },
    }),
  ],
  [`DELETE ${API_KEYS}/{id}`]: [(ids) => ({ path: `${API_KEYS}/${ids.apiKey}` })],
  [`GET ${LOGS}/requests/{request_id}`]: [(ids) => ({ path: `${LOGS}/requests/${ids.request}` })],
  [`DELETE ${ACCOUNTS}/{id}`]: [(ids) => ({ path: `${ACCOUNTS}/${ids.acquirerAccount}` })],
  [`POST ${RECURRING}/orders`]: [
    (ids) => ({
      path: `${RECURRING}/orders`,
      body: { customer_uuid: ids.customer, order: { number: ids.planOrder } },
    }),
    (ids, own) => ({
      path: `${RECURRING}/orders`,
      body: { customer_uuid: own.customer, order: { number: ids.planOrder } },
    }),
  ],
}

const theirs = await createObjects(client)
const own = await createObjects(stranger)
/** Valid ids of objects that do not exist. */
const absent = Object.fromEntries(
  Object.entries(theirs).map(([name, id]) => [
    name,
    id.slice(0, -4) + (id.endsWith('0000') ? '1111' : '0000'),
  ]),
) as Ids

function call(
  merchant: Client,
  method: string,
  request: { path: string; body?: unknown },
): Promise<ApiReply> {
  return merchant.call(method, request.path, request.body, {
    headers: { 'x-p-customer-code': merchant.sandbox.customer_code },
  })
}

/** What a reply tells its caller, without the ids that the caller sent. */
function disclosed(reply: ApiReply, ids: Ids): unknown {
  const { data, ...envelope } = {
    status: reply.status,
    code: reply.code,
    message: reply.message,
    data: reply.data,
  }
  const { request_id: _, ...error } = data.error ?? {}
  let text = JSON.stringify({ ...envelope, data: { ...data, error } })
  for (const [name, id] of Object.entries(ids)) text = text.replaceAll(id, `<${name}>`)
  return JSON.parse(text) as unknown
}

/** Their objects come from an acquirer. `disputes/refresh/refresh.test.ts` and `reconciliation/api` ask for those of others. */
const TESTED_IN_THEIR_MODULE = /\/(disputes|reconciliations)\/\{id\}/

test('every operation that takes an id is tested', () => {
  const takesId = operations.filter(
    (operation) =>
      operation.path.includes('{') ||
      operation.parameters.some((parameter) => parameter.in === 'query' && parameter.name === 'wallet_id') ||
      /uuid|"number":|"payment_token":|recurring_item_id"/.test(JSON.stringify(operation.bodySchema ?? {})),
  )
  const untested = takesId
    .map(({ method, path }) => `${method} ${path}`)
    .filter((name) => REQUESTS[name] === undefined && !TESTED_IN_THEIR_MODULE.test(name))
  expect(untested).toEqual([])
})

// Proves reference/access#tenants.
describe('an object of another business gets the same reply as one that does not exist', () => {
  for (const [name, requests] of Object.entries(REQUESTS)) {
    const method = name.split(' ')[0] ?? ''
    test.each(requests.map((requestOf, index) => [index, requestOf] as const))(
      `${name} %i`,
      async (_index, requestOf) => {
        const foreign = await call(stranger, method, requestOf(theirs, own))
        const request = requestOf(absent, own)
        const missing = await call(stranger, method, request)
        expect(disclosed(foreign, theirs)).toEqual(disclosed(missing, absent))
        expect([foreign.status, foreign.data.error.type]).toEqual([404, 'not_found'])
        // `param` names the member that holds the id; an id in the path needs no name.
        const isInPath = Object.values(absent).some((id) => request.path.includes(id))
        expect(missing.data.error.param === undefined).toBe(isInPath)
      },
    )
  }
})

test('a list shows no object of another business', async () => {
  for (const path of [
    `${PAYMENTS}/customers`,
    `${PAYMENTS}/orders`,
    `${RECURRING}/plan`,
    `${RECURRING}/items`,
    `${RECURRING}/billing_configs`,
    `${EVENTS}/events`,
    `${EVENTS}/endpoints`,
    `${EVENTS}/deliveries`,
    CARDS,
    WALLETS,
    ACCOUNTS,
    API_KEYS,
    `${PAYMENTS}/disputes`,
    `${PAYMENTS}/reconciliations`,
  ]) {
    const listed = JSON.stringify(await stranger.ok('GET', `${path}?limit=100`))
    for (const id of Object.values(theirs)) expect(listed).not.toContain(id)
  }
})

describe('the same requests succeed for objects of their own business', () => {
  for (const [name, requests] of Object.entries(REQUESTS)) {
    const method = name.split(' ')[0] ?? ''
    test(name, async () => {
      for (const requestOf of requests) {
        const objects = await createObjects(client)
        const answer = await call(client, method, requestOf(objects, objects))
        expect([name, answer.status === 404 ? answer : 'found']).toEqual([name, 'found'])
      }
    })
  }
})
