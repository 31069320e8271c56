/**
 * What every runtime must do, against a running service. It uses nothing of a runtime beside what all have, and
 * imports the package by its name.
 */
import {
  AuthenticationError,
  fromMinorUnits,
  InvalidRequestError,
  NotFoundError,
  PaymentDeclinedError,
  Quittance,
  TimeoutError,
  toMinorUnits,
  verifyWebhook,
  WebhookVerificationError,
} from 'quittance'

/** More than 2^53 cents: a double would change the last digits. */
const LARGE = '90071992547409.93'

const EXPIRY = { exp_month: '12', exp_year: '2049', cvc: '123', holder_name: 'CHAN TAI MAN' }

/**
 * @param {{baseUrl: string, lossyUrl: string, silentUrl: string, apiKey: string, appId: string, businessCode: string,
 *   webhook: {payload: string, headers: Record<string, string>, secret: string}}} config
 * @returns {Promise<string[]>} what was proved
 */
export async function run(config) {
  const quittance = new Quittance({
    apiKey: config.apiKey,
    baseUrl: config.baseUrl,
    appId: config.appId,
    businessCode: config.businessCode,
  })
  const proved = []
  for (const [name, prove] of Object.entries(PROOFS)) {
    try {
      await prove(quittance, config)
    } catch (error) {
      throw new Error(`${name}: ${error?.stack ?? error}`, { cause: error })
    }
    proved.push(name)
  }
  return proved
}

const PROOFS = {
  'an amount that no double can hold is sent, paid and read to the last digit': async (quittance) => {
    const { token } = await customerWithCard(quittance)
    const created = await createOrder(quittance, LARGE)
    equal(created.initial_total, LARGE)
    const { order, transaction } = await quittance.orders.pay(created.number, {
      type: 'Sales',
      payment_token: token,
    })
    equal(transaction.amount, LARGE)
    equal(order.paid_total, LARGE)
    const { transaction: refund } = await quittance.transactions.refund(transaction.uuid, { amount: '0.01' })
    equal(refund.amount, '-0.01')
    const { order: now } = await quittance.orders.get({ transaction: { uuid: transaction.uuid } })
    equal(toMinorUnits(now.paid_total, 'HKD'), toMinorUnits(LARGE, 'HKD') - 1n)
    equal(fromMinorUnits(toMinorUnits(LARGE, 'HKD'), 'HKD'), LARGE)
  },

  'amounts of any length survive writing and reading': async () => {
    const echo = async (_url, { body }) => new Response(`{"code":200,"message":"succeed","data":${body}}`)
    const quittance = new Quittance({ apiKey: null, baseUrl: 'http://echo', fetch: echo })
    for (let round = 0; round < 500; round++) {
      const amounts = [randomDecimal(), randomDecimal(), randomDecimal()]
      const [total, tips, price] = amounts
      const item = { purchasable_type: 'Charge', label: `"price":${price}\\"`, quantity: round, price }
      const sent = { initial_total: total, initial_tips: tips, line_items: [item] }
      const { order } = await quittance.orders.create(sent)
      equal(JSON.stringify(order), JSON.stringify(sent))
    }
  },

  'a plan is previewed, created, credited and changed with exact amounts': async (quittance) => {
    const { customer } = await customerWithCard(quittance)
    const item = await quittance.recurringItems.create({ label: 'Hosting', price: '99.9', currency: 'HKD' })
    equal(item.price, '99.90')
    const plan = {
      name: 'Monthly',
      customer_uuid: customer.uuid,
      default_collection_method: 'charge_automatically',
      payment_retry_count: 3,
      payment_retry_day_period: 2,
      recurring_cycles: [
        {
          billing_count: null,
          recurring_billing_config: 'FREQ=MONTHLY',
          recurring_items: [{ recurring_item_id: item.id, quantity: 3 }],
        },
      ],
    }
    const orders = await quittance.plans.preview(plan, { count: 2 })
    equal(orders.map(({ amount }) => amount).join(), '299.70,299.70')
    const created = await quittance.plans.create(plan)
    const credited = await quittance.plans.credit(created.id, { amount: '0.07' })
    equal(typeof credited.credit, 'string')
    equal((await quittance.plans.update(created.id, { name: 'Renamed' })).name, 'Renamed')
    equal((await quittance.plans.pause(created.id)).state, 'paused')
  },

  'a card approves up to its limit': async (quittance) => {
    const card = await quittance.cards.create({
      reference_id: unique('card'),
      type: 'virtual',
      mode: 'B2C',
      settlement_currency: 'HKD',
      limits: [{ period: 'Lifetime', limit_amount: '100.00' }],
    })
    const purchase = (amount) => ({
      amount,
      currency: 'HKD',
      merchant: { name: 'Tea house', mcc: '5812', country: 'HK' },
      reference_id: unique('auth'),
    })
    const linked = await quittance.cards.link({
      card_reference_id: card.reference_id,
      p_user_id: unique('user'),
    })
    equal(linked.id, card.id)
    const first = await quittance.cardAuthorizations.create(card.id, purchase('99.99'))
    equal(`${first.approved} ${first.amount}`, 'true 99.99')
    const second = await quittance.cardAuthorizations.create(card.id, purchase('0.02'))
    equal(second.decline_reason, 'limit_exceeded_lifetime')
  },

  'errors have their class, reason, member, request id and data': async (quittance, config) => {
    const { token } = await customerWithCard(quittance, '4000000000000341')
    const order = await createOrder(quittance, '12.30')
    const declined = await failure(PaymentDeclinedError, () =>
      quittance.orders.pay(order.number, { type: 'Sales', payment_token: token }),
    )
    equal(declined.status, 402)
    equal(declined.declineCode, 'card_declined')
    equal(declined.data.order.initial_total, '12.30')
    equal(declined.data.transaction.amount, '12.30')
    if (!declined.requestId.startsWith('req_')) throw new Error(`request id ${declined.requestId}`)
    const missing = await failure(NotFoundError, () => quittance.orders.get('ord_none'))
    equal(missing.reason, 'order_not_found')
    const invalid = await failure(InvalidRequestError, () =>
      quittance.orders.create({ reference_number: unique('order'), currency: 'XXX', initial_total: '1' }),
    )
    equal(invalid.param, 'order.currency')
    const stranger = new Quittance({ apiKey: 'qk_test_wrong', baseUrl: config.baseUrl })
    await failure(AuthenticationError, () => stranger.orders.list())
    const traced = await failure(NotFoundError, () =>
      quittance.plans.get('pln_none', { requestId: 'my-request-1' }),
    )
    equal(traced.requestId, 'my-request-1')
  },

  'a number is refused where an amount is due, before anything is sent': async (quittance) => {
    await failure(TypeError, () =>
      quittance.orders.create({ reference_number: 'x', currency: 'HKD', initial_total: 1.5 }),
    )
  },

  'a payment whose response is lost is sent again under the same key and happens once': async (
    quittance,
    { apiKey, lossyUrl },
  ) => {
    const lossy = new Quittance({ apiKey, baseUrl: lossyUrl })
    const { token } = await customerWithCard(quittance)
    const order = await createOrder(quittance, '10')
    const paid = await lossy.orders.pay(order.number, { type: 'Sales', payment_token: token })
    equal(paid.lastResponse.replayed, true)
    const { order: now } = await quittance.orders.get(order.number)
    equal(now.transactions.length, 1)
  },

  'the same key answers the same, without a second effect': async (quittance) => {
    const body = { reference_number: unique('order'), currency: 'HKD', initial_total: '1' }
    const options = { idempotencyKey: unique('key') }
    const first = await quittance.orders.create(body, {}, options)
    const second = await quittance.orders.create(body, {}, options)
    equal(second.order.number, first.order.number)
    equal(`${first.lastResponse.replayed} ${second.lastResponse.replayed}`, 'false true')
  },

  'a list is read through all its pages, and stops when the caller does': async (quittance) => {
    const customer = await createCustomer(quittance)
    for (let index = 0; index < 5; index++)
      await createOrder(quittance, '1', { customer_uuid: customer.uuid })
    const query = { filter: `customer.uuid = "${customer.uuid}"`, limit: 2 }
    const numbers = []
    for await (const order of quittance.orders.list(query)) numbers.push(order.number)
    equal(new Set(numbers).size, 5)
    const page = await quittance.orders.list({ ...query, offset: 1 })
    equal(page.data.map(({ number }) => number).join(), numbers.slice(1, 3).join())
    equal((await page.next()).data[0].number, numbers[3])
    equal((await quittance.orders.list(query).toArray({ limit: 3 })).length, 3)
  },

  'a request ends at its timeout and when its signal aborts': async (_quittance, { apiKey, silentUrl }) => {
    const silent = new Quittance({ apiKey, baseUrl: silentUrl, timeoutMs: 50, maxRetries: 0 })
    await failure(TimeoutError, () => silent.sandbox.getClock())
    const controller = new AbortController()
    setTimeout(() => controller.abort(new Error('changed my mind')), 20)
    const aborted = await failure(Error, () =>
      silent.sandbox.getClock({ signal: controller.signal, timeoutMs: 10_000 }),
    )
    equal(aborted.message, 'changed my mind')
  },

  'a webhook is verified and typed, and a changed one is refused': async (_quittance, { webhook }) => {
    const { payload, headers, secret } = webhook
    const event = await verifyWebhook(payload, headers, secret)
    equal(event.type, 'order.created')
    equal(event.id, headers['webhook-id'])
    equal(event.data.order.initial_total, LARGE)
    equal(
      (await verifyWebhook(new TextEncoder().encode(payload), new Headers(headers), secret)).type,
      event.type,
    )
    await failure(WebhookVerificationError, () =>
      verifyWebhook(payload.replace('order.created', 'order.paid'), headers, secret),
    )
  },

  'an app that signs its requests is served, and refused without the signature': async (
    quittance,
    config,
  ) => {
    const { privateKey, publicKey } = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])
    const { kty, crv, x } = await crypto.subtle.exportKey('jwk', publicKey)
    await quittance.signingKey.set({ kty, crv, x })
    const { apiKey, baseUrl } = config
    const byKey = new Quittance({ apiKey, baseUrl, signingKey: { privateKey } })
    const jwk = await crypto.subtle.exportKey('jwk', privateKey)
    const byJwk = new Quittance({ apiKey, baseUrl, signingKey: { privateKey: jwk, keyId: 'mine' } })
    try {
      const unsigned = await failure(AuthenticationError, () => quittance.sandbox.getClock())
      equal(unsigned.reason, 'signature_required')
      equal((await createOrder(byKey, '1.10')).initial_total, '1.10')
      await byJwk.orders.list({ filter: 'state = "open" AND initial_total > 1', limit: 1 })
    } finally {
      await byKey.signingKey.delete()
    }
    await quittance.sandbox.getClock()
  },
}

async function customerWithCard(quittance, number = '4242424242424242') {
  const customer = await createCustomer(quittance)
  const { token } = await quittance.paymentTokens.create(customer.uuid, {
    token_type: 'CreditCard',
    credit_card: { number, ...EXPIRY, billing_currency: 'HKD' },
  })
  return { customer, token }
}

function createCustomer(quittance) {
  return quittance.customers.create({
    reference_number: unique('customer'),
    name: 'Chan Tai Man',
    phone: '91234567',
  })
}

async function createOrder(quittance, total, members = {}) {
  const { order } = await quittance.orders.create({
    reference_number: unique('order'),
    currency: 'HKD',
    initial_total: total,
    ...members,
  })
  return order
}

function randomDecimal() {
  const digits = (length) => Array.from({ length }, () => Math.floor(Math.random() * 10)).join('')
  const whole = digits(1 + Math.floor(Math.random() * 25)).replace(/^0+(?=\d)/, '')
  const fraction = digits(Math.floor(Math.random() * 25))
  return `${Math.random() < 0.5 ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

function unique(prefix) {
  return `${prefix}-${crypto.randomUUID()}`
}

function equal(actual, expected) {
  if (actual !== expected) throw new Error(`expected ${String(expected)}, got ${String(actual)}`)
}

async function failure(Class, act) {
  try {
    await act()
  } catch (error) {
    if (error instanceof Class) return error
    throw error
  }
  throw new Error(`expected ${Class.name}, got a result`)
}
