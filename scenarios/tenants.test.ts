import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { startReceiver } from '#platform/testing/receiver'
import { until } from '#platform/testing/until'
import { walletSettings } from './harness/chains.ts'
import { type ApiReply, Client, PAYMENTS } from './harness/client.ts'
import { createBusiness, runCommand } from './harness/command-line.ts'
import { operationsOf } from './harness/operations.ts'
import { startScenario } from './harness/scenario.ts'
import { connectStripe, startStripeTwin } from './harness/stripe-twin.ts'
import {
  ACCOUNTS,
  API_KEYS,
  authorize,
  BULK_ACTIONS,
  BULK_IDS,
  CARDS,
  EVENTS,
  type Ids,
  INVITATIONS,
  INVOICE,
  LOGS,
  MEMBERS,
  PRIVACY,
  type RequestOf,
  CATALOGUE,
  RECURRING,
  REQUESTS,
  USER,
  WALLETS,
} from './tenants/requests.ts'

// For every operation that takes an id, a key of another business must get the same reply for an existing object as for
// one that does not exist.
const receiver = await startReceiver()
const { service, client } = await startScenario({
  env: { ALLOW_PRIVATE_WEBHOOKS: '1', ...(await walletSettings()) },
})
const stranger = new Client(await createBusiness(service))
const operations = await operationsOf(client)

const twin = await startStripeTwin()

type Kind = readonly [readonly (keyof Ids)[], (merchant: Client, made: Partial<Ids>) => Promise<Partial<Ids>>]

/** What makes the objects of each kind for the business of `merchant`, of those that were `made` before, and the names of their ids. */
const MAKERS: readonly Kind[] = [
  [
    [
      'customer',
      'customerReference',
      'token',
      'note',
      'order',
      'orderReference',
      'transaction',
      'transactionReference',
    ],
    createPayment,
  ],
  [['item'], async (merchant) => ({ item: await merchant.createItem(5) })],
  [['config'], createConfig],
  [['product', 'dunningPolicy', 'taxRate'], createCatalogue],
  [['coupon', 'promotionCode'], createCoupon],
  [['legalEntity'], createLegalEntity],
  [['invoice'], createInvoice],
  [['plan', 'planOrder'], createPlan],
  [['endpoint', 'delivery', 'event', 'eventObject'], createDelivery],
  [['bankStatement', 'bankEntry'], createBankEntry],
  [['message'], createMessage],
  [['card', 'cardReference', 'limit', 'authorization'], createCard],
  [['wallet'], createWallet],
  [['acquirerAccount'], async (merchant) => ({ acquirerAccount: await connectedAccount(merchant) })],
  [['request'], async (merchant) => ({ request: await loggedRequest(merchant) })],
  [['apiKey'], async (merchant) => ({ apiKey: await madeKey(merchant) })],
  [['member'], async (merchant) => ({ member: await madeMember(merchant) })],
  [['invitation'], createInvitation],
  [['bulkPayments', 'bulkPlans', 'bulkDeliveries'], createBulkActions],
  [['erasure'], createErasure],
  [['heldCustomer'], createHold],
]

/** Creates the objects of these kinds, or one of each kind. */
async function createObjects(merchant: Client, kinds: readonly Kind[] = MAKERS): Promise<Ids> {
  let ids: Partial<Ids> = {}
  for (const [, make] of kinds) ids = { ...ids, ...(await make(merchant, ids)) }
  return ids as Ids
}

/** Creates anew the objects whose ids a request holds, so that no other kind can fail its test. */
function createObjectsOf(merchant: Client, requestOf: RequestOf): Promise<Ids> {
  const read = new Set<PropertyKey>()
  const recorded = new Proxy({} as Ids, {
    get: (_ids, name) => {
      read.add(name)
      return 'id'
    },
  })
  requestOf(recorded, recorded)
  return createObjects(
    merchant,
    MAKERS.filter(([names]) => names.some((name) => read.has(name))),
  )
}

async function createPayer(merchant: Client) {
  const customer = await merchant.createCustomer()
  const { token } = await merchant.bindCard(customer.uuid, '4242424242424242')
  return { ...customer, token }
}

async function createPayment(merchant: Client): Promise<Partial<Ids>> {
  const customer = await createPayer(merchant)
  const { note } = await merchant.ok('POST', `${PAYMENTS}/customers/${customer.uuid}/notes`, {
    note: { text: 'Ours' },
  })
  const order = await merchant.createOrder({ customer_uuid: customer.uuid })
  const reference = `transaction-${randomUUID()}`
  const paid = await merchant.pay(order.number, customer.token, { amount: 10, reference_id: reference })
  return {
    customer: customer.uuid,
    customerReference: customer.reference_number,
    token: customer.token,
    note: note.id,
    order: order.number,
    orderReference: order.reference_number,
    transaction: paid.data.transaction.uuid,
    transactionReference: reference,
  }
}

async function createConfig(merchant: Client): Promise<{ config: string }> {
  const { recurring_billing_config } = await merchant.ok('POST', `${RECURRING}/billing_configs`, {
    recurring_billing_config: { billing_interval: 'month', billing_type: 'anniversary' },
  })
  return { config: recurring_billing_config.id }
}

async function createCatalogue(merchant: Client): Promise<Partial<Ids>> {
  const { product } = await merchant.ok('POST', `${CATALOGUE}/products`, { product: { name: 'Team' } })
  const { dunning_policy } = await merchant.ok('POST', `${CATALOGUE}/dunning_policies`, {
    dunning_policy: { name: 'Tries', steps: [{ after_days: 3 }] },
  })
  const { tax_rate } = await merchant.ok('POST', `${CATALOGUE}/tax_rates`, {
    tax_rate: {
      name: 'VAT',
      country: 'DE',
      category: randomUUID(),
      percentage: 19,
      valid_from: '2020-01-01',
    },
  })
  return { product: product.id, dunningPolicy: dunning_policy.id, taxRate: tax_rate.id }
}

const codeOf = (couponId: string) => `code-${couponId}`

async function createCoupon(merchant: Client): Promise<Partial<Ids>> {
  const { coupon } = await merchant.ok('POST', `${CATALOGUE}/coupons`, {
    coupon: { name: 'Welcome', percent_off: 5 },
  })
  const { promotion_code } = await merchant.ok('POST', `${CATALOGUE}/promotion_codes`, {
    promotion_code: { coupon_id: coupon.id, code: codeOf(coupon.id) },
  })
  return { coupon: coupon.id, promotionCode: promotion_code.id }
}

async function createLegalEntity(merchant: Client): Promise<{ legalEntity: string }> {
  const { legal_entity } = await merchant.ok('POST', `${CATALOGUE}/legal_entities`, {
    legal_entity: {
      name: 'Example GmbH',
      address: { line1: 'Hauptstr. 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
      registrations: [],
    },
  })
  return { legalEntity: legal_entity.id }
}

async function createInvoice(merchant: Client, made: Partial<Ids>): Promise<Partial<Ids>> {
  const customer = made.customer ?? (await merchant.createCustomer()).uuid
  const legalEntity = made.legalEntity ?? (await createLegalEntity(merchant)).legalEntity
  const { invoice } = await merchant.ok('POST', `${CATALOGUE}/invoices`, {
    invoice: { ...INVOICE, customer_uuid: customer, legal_entity_id: legalEntity },
  })
  return { invoice: invoice.id }
}

async function createPlan(merchant: Client, made: Partial<Ids>): Promise<Partial<Ids>> {
  const plan = await merchant.createPlan({
    customer_uuid: made.customer ?? (await createPayer(merchant)).uuid,
    coupons: made.coupon === undefined ? [] : [codeOf(made.coupon)],
    recurring_cycles: [
      {
        billing_count: null,
        recurring_billing_config: made.config ?? (await createConfig(merchant)).config,
        recurring_items: [{ recurring_item_id: made.item ?? (await merchant.createItem(5)), quantity: 1 }],
      },
    ],
  })
  await merchant.advanceBy('PT1M')
  const { current_order } = await merchant.getPlan(plan.id)
  return { plan: plan.id, planOrder: current_order.order_number }
}

async function createMessage(merchant: Client): Promise<Partial<Ids>> {
  await merchant.ok('PUT', `${CATALOGUE}/message_settings`, { message_settings: { enabled: ['receipt'] } })
  const customer = await merchant.createCustomer({ email: `${randomUUID()}@example.com` })
  const { token } = await merchant.bindCard(customer.uuid, '4242424242424242')
  const order = await merchant.createOrder({ customer_uuid: customer.uuid })
  await merchant.pay(order.number, token)
  const { messages } = await merchant.ok('GET', `${CATALOGUE}/messages?limit=1`)
  return { message: messages[0].id }
}

async function createBankEntry(merchant: Client): Promise<Partial<Ids>> {
  const { bank_statement } = await merchant.ok('POST', `${CATALOGUE}/bank_statements`, {
    bank_statement: {
      format: 'csv',
      content: `booking_date,amount,currency,bank_reference\n2027-06-15,1.00,HKD,${randomUUID()}\n`,
    },
  })
  const { bank_entries } = await merchant.ok('GET', `${CATALOGUE}/bank_entries?limit=1`)
  return { bankStatement: bank_statement.id, bankEntry: bank_entries[0].id }
}

async function createDelivery(merchant: Client): Promise<Partial<Ids>> {
  const url = `${receiver.url}?${randomUUID()}`
  const { endpoint } = await merchant.ok('POST', `${EVENTS}/endpoints`, { endpoint: { url } })
  const { number } = await merchant.createOrder()
  const [event] = await merchant.events(number)
  return {
    endpoint: endpoint.id,
    delivery: await deliveryTo(merchant, url),
    event: event.id,
    eventObject: number,
  }
}

async function createWallet(merchant: Client): Promise<Partial<Ids>> {
  const { digital_wallet } = await merchant.ok('POST', WALLETS, { digital_wallet: { p_user_id: USER } })
  return { wallet: digital_wallet.id }
}

const connectedAccounts = new Map<Client, Promise<string>>()

/** A business can have only 50 accounts, so the tests share one for each. */
function connectedAccount(merchant: Client): Promise<string> {
  const connecting = connectedAccounts.get(merchant) ?? connectStripe(merchant, twin.url).then(({ id }) => id)
  connectedAccounts.set(merchant, connecting)
  return connecting
}

async function loggedRequest(merchant: Client): Promise<string> {
  let id = ''
  // A busy log drops what it cannot write in time (reference/logs), so one request may not be enough.
  await until(async () => {
    id = `req-${randomUUID()}`
    await merchant.call('GET', CARDS, undefined, { headers: { 'x-request-id': id } })
    const isLogged = async () => (await merchant.call('GET', `${LOGS}/requests/${id}`)).status === 200
    return until(isLogged, 5_000).then(
      () => true,
      () => false,
    )
  })
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

const madeMembers = new Map<Client, Promise<string>>()

/** The tests share the only owner of each business, whom nobody can remove. */
function madeMember(merchant: Client): Promise<string> {
  const email = `${randomUUID()}@example.com`
  const making =
    madeMembers.get(merchant) ??
    runCommand<{ user_id: string }>(
      service,
      `users create --email ${email} --role owner --business ${merchant.sandbox.customer_code}`.split(' '),
    ).then((created) => created.user_id)
  madeMembers.set(merchant, making)
  return making
}

async function createInvitation(merchant: Client): Promise<Partial<Ids>> {
  const { invitation } = await merchant.ok('POST', INVITATIONS, {
    invitation: { email: `${randomUUID()}@example.com`, test_role: 'developer' },
  })
  return { invitation: invitation.id }
}

async function createBulkActions(merchant: Client): Promise<Partial<Ids>> {
  const bulk = async (path: string, action: string) => {
    const request = { action, dry_run: true, filter: 'created_at < "2020-01-01T00:00:00Z"' }
    const { bulk_action } = await merchant.ok('POST', path, { bulk_action: request })
    return bulk_action.id as string
  }
  return {
    bulkPayments: await bulk(BULK_ACTIONS.bulkPayments, 'void'),
    bulkPlans: await bulk(BULK_ACTIONS.bulkPlans, 'cancel'),
    bulkDeliveries: await bulk(BULK_ACTIONS.bulkDeliveries, 'redeliver'),
  }
}

async function createErasure(merchant: Client): Promise<Partial<Ids>> {
  const { uuid } = await merchant.createCustomer()
  const { erasure } = await merchant.ok('POST', `${PRIVACY}/customers/${uuid}/erasures`)
  return { erasure: erasure.id }
}

async function createHold(merchant: Client): Promise<Partial<Ids>> {
  const { uuid } = await merchant.createCustomer()
  await merchant.ok('PUT', `${PRIVACY}/customers/${uuid}/legal_hold`, { legal_hold: { reason: 'x' } })
  return { heldCustomer: uuid }
}

/** A linked card with a limit and an authorization. */
async function createCard(merchant: Client): Promise<Partial<Ids>> {
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

/** The id of a finished delivery, which can be sent again. */
async function deliveryTo(merchant: Client, url: string): Promise<string> {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    const { deliveries } = await merchant.ok('GET', `${EVENTS}/deliveries?state=delivered`)
    const delivery = deliveries.find((candidate: { url: string }) => candidate.url === url)
    if (delivery !== undefined) return delivery.id
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('no event was delivered in a minute')
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

/** What a reply shows its caller, without the ids that the caller sent. */
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

/**
 * Disputes and reconciliations come from an acquirer: `disputes/refresh/refresh.test.ts` and `reconciliation/api` ask for those of
 * others. The export is no JSON: `personal-data/erasing/erasure.test.ts` asks for another's.
 * The number of a registration in a legal entity is no id. `portal.test.ts` asks for objects of others with the token of a customer.
 */
const TESTED_ELSEWHERE =
  /\/svc\/portal\/|\/(disputes|reconciliations)\/\{id\}|\/export\.jsonl$|\/message_templates\/|\/suppressions\/|^POST .*\/legal_entities$/

test('every operation that takes an id is tested', () => {
  const takesId = operations.filter(
    (operation) =>
      operation.path.includes('{') ||
      operation.parameters.some((parameter) => parameter.in === 'query' && parameter.name === 'wallet_id') ||
      /uuid|"number":|"payment_token":|recurring_item_id"/.test(JSON.stringify(operation.bodySchema ?? {})),
  )
  const untested = takesId
    .map(({ method, path }) => `${method} ${path}`)
    .filter(
      (name) => REQUESTS[name] === undefined && BULK_IDS[name] === undefined && !TESTED_ELSEWHERE.test(name),
    )
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

test.each(Object.entries(BULK_IDS))(
  'for ids of another business %s responds as for ids that do not exist',
  async (name, { action, id }) => {
    const failuresOf = async (ids: Ids) => {
      const path = name.split(' ')[1] ?? ''
      const body = { bulk_action: { action, ids: [ids[id]] } }
      const { bulk_action: started } = await stranger.ok('POST', path, body)
      const read = () => stranger.ok('GET', `${path}/${started.id}`)
      await until(async () => (await read()).bulk_action.state === 'completed')
      const { bulk_action } = await read()
      expect(bulk_action).toMatchObject({ total: 1, succeeded: 0, failed: 1 })
      return JSON.parse(JSON.stringify(bulk_action.failures).replaceAll(ids[id], '<id>')) as unknown
    }
    const foreign = await failuresOf(theirs)
    expect(foreign).toEqual(await failuresOf(absent))
    expect(foreign).toMatchObject([{ reason: expect.stringMatching(/_not_found$/) }])
  },
)

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
    MEMBERS,
    INVITATIONS,
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
        const objects = await createObjectsOf(client, requestOf)
        const reply = await call(client, method, requestOf(objects, objects))
        expect([name, reply.status === 404 ? reply : 'found']).toEqual([name, 'found'])
      }
    })
  }
})
