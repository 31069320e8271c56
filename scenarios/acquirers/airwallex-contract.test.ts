import { createHmac, randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { type ProxiedReply, type ProxiedRequest, startAcquirerProxy } from '../harness/acquirer-proxy.ts'
import { type ApiReply, PAYMENTS } from '../harness/client.ts'
import { startScenario } from '../harness/scenario.ts'
import { AIRWALLEX } from '../harness/twin-of-airwallex.ts'
import { ACCOUNTS, newMerchant, startBank, stateOf } from '../harness/twins.ts'

const { service } = await startScenario({ env: { ALLOW_PRIVATE_WEBHOOKS: '1' } })
const SOON = { timeout: 60_000, interval: 100 }
const METHODS = ['credit_card', 'wallet_a_pay', 'wallet_b', 'fps']

const bank = await startBank(AIRWALLEX)
const proxy = await startAcquirerProxy(bank.twin.url, '/gateway/airwallex')
const requests: ProxiedRequest[] = []
const forwarded: typeof proxy.answer = (request) => void requests.push(request)
proxy.answer = forwarded

const client = await newMerchant(service)
const account = await bank.connect(client, { methods: METHODS, api_base: proxy.url })
const { customer, token } = await bank.bind(client, account, 'approves')

afterEach(async () => {
  proxy.answer = forwarded
  proxy.changeReply = (_request, reply) => reply
  await bank.twin.setFaults({})
  await bank.twin.control('PUT', '/_twin/settings', { closed: [] })
})

const isConfirmation = ({ method, path }: ProxiedRequest) => method === 'POST' && path.endsWith('/confirm')
const isIntent = ({ path }: ProxiedRequest) => /\/payment_intents\/int_\w+(\/confirm)?$/.test(path)

const said = (status: number, body: object): ProxiedReply => ({ status, content: JSON.stringify(body) })
const refusal = (code: string, more: object = {}) => said(400, { code, message: 'No.', ...more })

/** Confirmations get this answer. With `isBooked` Airwallex has run them. */
function answerConfirmations(reply: ProxiedReply, isBooked = false): void {
  if (isBooked) proxy.changeReply = (request, real) => (isConfirmation(request) ? reply : real)
  else proxy.answer = (request) => (isConfirmation(request) ? reply : undefined)
}

/** Airwallex shows these members of every intent. */
function showIntents(members: object): void {
  proxy.changeReply = (request, real) => {
    if (!isIntent(request) || real.status !== 200) return real
    return said(200, { ...(JSON.parse(real.content) as object), ...members })
  }
}

async function payByCard(members: object = {}) {
  const number = (await client.createOrder({ customer_uuid: customer.uuid })).number as string
  const reply = await client.pay(number, token.token, { ...members })
  return { number, reply, uuid: reply.data.transaction?.uuid as string }
}

async function askedBy(method: string, members: object = {}, order: Record<string, unknown> = {}) {
  const { number } = await client.createOrder(order)
  const reply = await client.call('POST', `${PAYMENTS}/orders/pay`, {
    order: { number },
    transaction: { type: 'Sales', payment_method: method, ...members },
  })
  return { number: number as string, reply, intent: intentOf(reply) }
}

const intentOf = ({ data }: ApiReply) => data.transaction?.payment_data.new_gateway_txn_id as string
const states = async (number: string) => (await client.checkOrder(number)).transactions.map(stateOf)

async function statesLater(number: string) {
  await client.advanceBy('PT1M')
  return states(number)
}

// Proves reference/acquirers#airwallex, reference/acquirers#outcomes.
describe('a confirmation gets', () => {
  test.each([
    'issuer_declined',
    'provider_declined',
    'risk_declined',
    'authentication_declined',
    '3ds_not_supported',
    'no_3ds_liability_shift',
    'card_brand_not_supported',
    'rejected_by_routing_rules',
  ])('%s: declined', async (code) => {
    answerConfirmations(refusal(code))
    const { number, reply, uuid } = await payByCard()
    expect(reply).toMatchObject({
      status: 402,
      data: { error: { reason: 'payment_declined' }, transaction: { payment_data: { resp_code: code } } },
    })
    expect(await client.checkOrder(number)).toMatchObject({ state: 'open', paid_total: '0.00' })
    expect(await statusOf(intentOf(reply))).toBe('CANCELLED')
    expect(await bank.moved(uuid, 'sale')).toEqual([])
  })

  test.each([
    'validation_error',
    'payment_method_not_allowed',
    'currency_not_supported',
    'configuration_error',
    'suspended_from_online_payments',
    'resource_not_found',
    'quote_expired',
  ])('%s: refused', async (code) => {
    answerConfirmations(refusal(code))
    const { number, reply } = await payByCard()
    expect(reply).toMatchObject({ status: 502, data: { error: { reason: 'acquirer_refused' } } })
    expect(reply.data.transaction.payment_data).toMatchObject({
      transaction_state: 'failed',
      resp_code: code,
    })
    expect(await client.checkOrder(number)).toMatchObject({ state: 'open', paid_total: '0.00' })
    expect(await statusOf(intentOf(reply))).toBe('CANCELLED')
  })

  test.each(
    ['invalid_status_for_operation', 'resource_already_exists', 'duplicate_request'].flatMap((code) =>
      [true, false].map((isBooked) => [code, isBooked] as const),
    ),
  )('%s, booked: %s: the intent is read', async (code, isBooked) => {
    answerConfirmations(refusal(code), isBooked)
    const { number, reply, uuid } = await payByCard()
    expect(await bank.moved(uuid, 'sale')).toEqual(isBooked ? ['100.00'] : [])
    if (isBooked) expect(reply.status).toBe(200)
    const settled = isBooked ? ['succeeded'] : ['failed']
    await expect.poll(() => statesLater(number), SOON).toEqual(settled)
  })

  test.each(
    (
      [
        ['provider_unavailable', refusal('provider_unavailable')],
        ['frequency_above_limit', refusal('frequency_above_limit')],
        ['401 after a new login', said(401, { code: 'unauthorized' })],
        ['408', said(408, {})],
        ['409', said(409, { code: 'conflict' })],
        ['429', said(429, { code: 'too_many_requests' })],
        ['500', said(500, { code: 'internal_error' })],
        ['503', said(503, {})],
        ['no JSON', { status: 200, content: 'gateway' }],
      ] as const
    ).flatMap(([name, reply]) => [true, false].map((isBooked) => [name, isBooked, reply] as const)),
  )('%s, booked: %s: unknown, until it is known', async (_, isBooked, answer) => {
    answerConfirmations(answer, isBooked)
    const { number, reply, uuid } = await payByCard()
    expect(reply).toMatchObject({ status: 504, data: { error: { reason: 'outcome_unknown' } } })
    proxy.answer = forwarded
    proxy.changeReply = (_request, real) => real
    await expect.poll(() => statesLater(number), SOON).toEqual([isBooked ? 'succeeded' : 'failed'])
    expect(await bank.moved(uuid, 'sale')).toEqual(isBooked ? ['100.00'] : [])
  })

  test.each([
    ['51', 'insufficient_funds'],
    ['54', 'expired_card'],
    ['41', 'lost_card'],
    ['43', 'stolen_card'],
    ...['04', '07', '12', '14', '15', '57', '62', '05', '61', '91', 'Z9'].map((code) => [
      code,
      'card_declined',
    ]),
  ])('original code %s: %s', async (code, reason) => {
    for (const where of [
      { details: { original_response_code: code } },
      { provider_original_response_code: code },
    ]) {
      answerConfirmations(refusal('issuer_declined', where))
      const { reply } = await payByCard()
      expect(reply).toMatchObject({
        status: 402,
        data: { error: { decline_code: reason }, transaction: { payment_data: { resp_code: code } } },
      })
    }
  })

  test.each(['65', '1A'])('original code %s: the payer is asked for', async (code) => {
    answerConfirmations(refusal('issuer_declined', { details: { original_response_code: code } }))
    const { reply } = await payByCard()
    expect(reply).toMatchObject({ status: 402, data: { error: { decline_code: 'authentication_required' } } })
  })

  test.each([
    ['authentication_declined', 'authentication_failed'],
    ['risk_declined', 'card_declined'],
  ])('%s beside a code: %s', async (error, reason) => {
    answerConfirmations(refusal(error, { details: { original_response_code: '05' } }))
    const { reply } = await payByCard()
    expect(reply).toMatchObject({ status: 402, data: { error: { decline_code: reason } } })
  })
})

async function airwallex(method: 'GET' | 'POST', path: string, body: object = {}) {
  const { client_id: name = '', api_key: key = '' } = account.credentials
  const url = `${bank.twin.url}/api/v1`
  const login = await fetch(`${url}/authentication/login`, {
    method: 'POST',
    headers: { 'x-client-id': name, 'x-api-key': key },
  })
  const { token: bearer } = (await login.json()) as { token: string }
  const reply = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${bearer}` },
    ...(method === 'POST' && { body: JSON.stringify({ request_id: randomUUID(), ...body }) }),
  })
  return { status: reply.status, body: (await reply.json()) as Record<string, string> }
}

async function firstId(path: string): Promise<string> {
  const { body }: { readonly body: { readonly items?: readonly { readonly id: string }[] } } =
    await airwallex('GET', path)
  return body.items?.[0]?.id ?? ''
}

function payerOf(uuid: string): Promise<string> {
  return firstId(`/pa/customers?merchant_customer_id=${uuid}`)
}

const statusOf = async (intent: string) =>
  (await airwallex('GET', `/pa/payment_intents/${intent}`)).body['status']
const inApp = async (url: string, action: 'pay' | 'reject') =>
  (await airwallex('POST', `/simulation/pa/shopper_actions/${action}`, { url })).status

describe('what the states of Airwallex mean here', () => {
  test.each(['PENDING', 'PENDING_REVIEW', 'REQUIRES_A_NEW_THING'])(
    '%s: pending, also days later',
    async (status) => {
      showIntents({ status, captured_amount: 0 })
      const { number, reply, uuid } = await payByCard()
      expect(reply.status).toBe(200)
      expect(await states(number)).toEqual(['pending'])
      await client.advanceBy('P4D')
      expect(await states(number)).toEqual(['pending'])
      expect((await client.call('POST', `${PAYMENTS}/orders/void`, { order: { number } })).status).toBe(409)
      proxy.changeReply = (_request, real) => real
      await client.advanceBy('P2D')
      await expect.poll(() => states(number), SOON).toEqual(['succeeded'])
      expect(await bank.moved(uuid, 'sale')).toEqual(['100.00'])
    },
  )

  test('REQUIRES_CAPTURE: authorized', async () => {
    const { number, reply } = await payByCard({ type: 'Authorization' })
    expect(await states(number)).toEqual(['authorized'])
    expect(await statusOf(intentOf(reply))).toBe('REQUIRES_CAPTURE')
  })

  test('REQUIRES_CUSTOMER_ACTION: requires_action or pending; CANCELLED: failed, and voided if it was authorized', async () => {
    const { number, intent } = await askedBy('fps')
    expect(['requires_action', 'pending']).toContain((await states(number))[0])
    await bank.twin.control('POST', '/_twin/cancel', { intent })
    await expect.poll(() => statesLater(number), SOON).toEqual(['failed'])
    const held = await payByCard({ type: 'Authorization' })
    await bank.twin.control('POST', '/_twin/cancel', { intent: intentOf(held.reply) })
    await expect.poll(() => states(held.number), SOON).toEqual(['voided'])
  })

  test('REQUIRES_PAYMENT_METHOD: failed once it is canceled, and not before', async () => {
    const { number, intent, reply } = await askedBy('wallet_b')
    await bank.twin.setFaults({ fail_before: 1, match: '/cancel$' })
    expect(await inApp(intent, 'reject')).toBe(200)
    const [state] = await statesLater(number)
    expect(['requires_action', 'pending', 'unknown']).toContain(state)
    expect(await statusOf(intent)).toBe('REQUIRES_PAYMENT_METHOD')
    await bank.twin.setFaults({})
    await expect.poll(() => statesLater(number), SOON).toEqual(['failed'])
    expect(await statusOf(intent)).toBe('CANCELLED')
    const { uuid } = reply.data.transaction
    const { transactions } = await client.ok('GET', `${PAYMENTS}/transactions`)
    expect(transactions.find((one: { uuid: string }) => one.uuid === uuid)).toMatchObject({
      decline_code: 'payer_declined',
      payment_data: { resp_code: 'payer_declined', new_gateway_txn_id: intent },
    })
  })

  test('SUCCEEDED: succeeded, for the amount that was captured', async () => {
    showIntents({ captured_amount: 60 })
    const { number, reply } = await payByCard()
    expect(reply.data).toMatchObject({
      order: { paid_total: '60.00', state: 'open' },
      transaction: { amount: 60 },
    })
    expect(await client.checkOrder(number)).toMatchObject({ correspondence_state: 'partial_paid' })
  })

  test.each([
    ['RECEIVED', 200, 'succeeded'],
    ['ACCEPTED', 200, 'succeeded'],
    ['SETTLED', 200, 'succeeded'],
    ['PROCESSING', 200, 'succeeded'],
    ['SUCCEEDED', 200, 'succeeded'],
    ['FAILED', 402, 'failed'],
  ])('refund %s', async (status, http, state) => {
    const { number, uuid } = await payByCard()
    proxy.changeReply = (request, real) =>
      request.path.endsWith('/refunds/create')
        ? said(real.status, { ...(JSON.parse(real.content) as object), status })
        : real
    const refund = await client.call('POST', `${PAYMENTS}/transactions/refund`, { transaction: { uuid } })
    expect(refund.status).toBe(http)
    expect(await states(number)).toEqual(['succeeded', state])
  })

  test('consent PAUSED: the token stays active, and its charges are soft declines', async () => {
    const paused = await bank.bind(client, account, 'approves')
    const path = `${PAYMENTS}/customers/${paused.customer.uuid}/payment_tokens`
    const consent = await consentOf(paused.customer.uuid)
    await bank.twin.control('POST', '/_twin/consent', { consent, status: 'PAUSED' })
    const order = await client.createOrder({ customer_uuid: paused.customer.uuid })
    const declined = await client.pay(order.number, paused.token.token)
    expect(declined).toMatchObject({ status: 402, data: { error: { decline_code: 'card_declined' } } })
    expect((await client.ok('GET', path)).payment_tokens).toMatchObject([{ state: 'active' }])
    await bank.twin.control('POST', '/_twin/consent', { consent, status: 'VERIFIED' })
    expect((await client.pay(order.number, paused.token.token)).status).toBe(200)
  })
})

async function consentOf(uuid: string): Promise<string> {
  return firstId(`/pa/payment_consents?customer_id=${await payerOf(uuid)}`)
}

// Proves reference/acquirers#accounts, reference/acquirers#api-base.
describe('an account', () => {
  const accountOf = (members: object = {}, credentials: object = {}) => ({
    acquirer_account: {
      acquirer: 'airwallex',
      name: 'contract',
      api_base: proxy.url,
      credentials: { ...AIRWALLEX.credentials(`n${randomUUID().slice(0, 8)}`, 'test'), ...credentials },
      ...members,
    },
  })

  test.each([
    ['credit_card alone', {}, ['credit_card'], undefined],
    ['WalletA', { methods: ['wallet_a_pay'] }, ['wallet_a_pay'], { wallet_a: 'wechat_pay' }],
    ['WalletB', { methods: ['wallet_b'] }, ['wallet_b'], { wallet_b: 'alipay_hk' }],
    [
      'WalletB, chosen',
      { methods: ['wallet_b'], wallets: { wallet_b: 'alipay' } },
      ['wallet_b'],
      { wallet_b: 'alipay' },
    ],
    ['all', { methods: METHODS }, METHODS, { wallet_a: 'wechat_pay', wallet_b: 'alipay_hk' }],
  ])(
    'with %s shows its methods and wallets, and its id at Airwallex',
    async (_, members, methods, wallets) => {
      const merchant = await newMerchant(service)
      const body = accountOf(members)
      const { acquirer_account: made } = await merchant.ok('POST', ACCOUNTS, body)
      expect(made).toMatchObject({
        acquirer: 'airwallex',
        methods,
        merchant_id: `acct_${body.acquirer_account.credentials['client_id']}`,
        api_base: proxy.url,
      })
      expect(made.wallets).toEqual(wallets)
      expect(JSON.stringify(made)).not.toMatch(/whsec_|key_n/)
    },
  )

  test('takes the first of AlipayHK and Alipay that Airwallex has opened', async () => {
    await bank.twin.control('PUT', '/_twin/settings', { closed: ['alipayhk'] })
    const merchant = await newMerchant(service)
    const { acquirer_account: made } = await merchant.ok(
      'POST',
      ACCOUNTS,
      accountOf({ methods: ['wallet_b'] }),
    )
    expect(made.wallets).toEqual({ wallet_b: 'alipay' })
  })

  test.each([
    ['card', 'credit_card', {}, 'methods[0]'],
    ['fps', 'fps', {}, 'methods[0]'],
    ['wechatpay', 'wallet_a_pay', {}, 'methods[0]'],
    ['alipayhk', 'wallet_b', { wallets: { wallet_b: 'alipay_hk' } }, 'wallets.wallet_b'],
    ['alipaycn', 'wallet_b', { wallets: { wallet_b: 'alipay' } }, 'wallets.wallet_b'],
  ])(
    'whose %s is not open is 422, ask Airwallex to open it (POST and PUT)',
    async (closed, method, more, name) => {
      const merchant = await newMerchant(service)
      const own = accountOf({ methods: [method === 'fps' ? 'credit_card' : 'fps'] })
      const { acquirer_account: before } = await merchant.ok('POST', ACCOUNTS, own)
      await bank.twin.control('PUT', '/_twin/settings', { closed: [closed] })
      const members = { methods: [method], ...more }
      for (const reply of [
        await merchant.call('POST', ACCOUNTS, accountOf(members)),
        await merchant.call('PUT', `${ACCOUNTS}/${before.id}`, { acquirer_account: members }),
      ]) {
        expect(reply.status).toBe(422)
        expect(reply.message).toContain(name)
        expect(reply.message).toContain('ask Airwallex to open it')
      }
      const { acquirer_accounts: all } = await merchant.ok('GET', ACCOUNTS)
      expect(all).toMatchObject([{ methods: before.methods }])
    },
  )

  test.each<[string, object, number, string]>([
    ['a wallet without its method', { wallets: { wallet_a: 'wechat_pay' } }, 422, 'wallets.wallet_a'],
    ['an unknown wallet', { wallets: { wallet_a: 'alipay' } }, 400, 'wallet_a'],
    ['an unknown member of wallets', { wallets: { wallet_c: 'alipay' } }, 400, 'wallet_c'],
    ['wallets that are a list', { wallets: ['alipay'] }, 400, 'wallets'],
    ['no method', { methods: [] }, 400, 'methods'],
    ['an unknown method', { methods: ['octopus'] }, 400, 'methods'],
    ['a currency that does not exist', { currencies: ['HKX'] }, 422, 'currencies'],
    ['raw_card_numbers that is a text', { raw_card_numbers: 'yes' }, 400, 'raw_card_numbers'],
    ['a version', { api_base: 'https://api.sandbox.airwallex.com/api/v1' }, 422, 'api_base'],
    ['the live host', { api_base: 'https://api.airwallex.com' }, 422, 'api_base'],
    ['a query', { api_base: `${proxy.url}?x=1` }, 422, 'api_base'],
    ['no address', { api_base: 'airwallex' }, 400, 'api_base'],
  ])('with %s is not stored', async (_, members, status, name) => {
    const merchant = await newMerchant(service)
    const reply = await merchant.call('POST', ACCOUNTS, accountOf(members))
    expect(reply.status).toBe(status)
    expect(JSON.stringify([reply.message, reply.data.error])).toContain(name)
    expect((await merchant.ok('GET', ACCOUNTS)).acquirer_accounts).toEqual([])
  })

  test('of which its keys may not read the account, or that Airwallex does not answer for, is not stored', async () => {
    const merchant = await newMerchant(service)
    for (const [path, reply, status, name] of [
      ['/account', said(403, { code: 'forbidden' }), 422, 'api_key'],
      ['/account', said(500, {}), 503, ''],
      ['/account', said(429, {}), 503, ''],
      ['/payment_method_types', said(403, { code: 'forbidden' }), 422, 'api_key'],
      ['/payment_method_types', said(503, {}), 503, ''],
      ['/authentication/login', said(403, { code: 'forbidden' }), 422, 'api_key'],
      ['/authentication/login', said(429, {}), 503, ''],
    ] as const) {
      proxy.answer = (request) => (request.path.split('?')[0]?.endsWith(path) === true ? reply : undefined)
      const refused = await merchant.call('POST', ACCOUNTS, accountOf())
      expect([path, refused.status]).toEqual([path, status])
      expect(refused.message).toContain(name)
    }
    expect((await merchant.ok('GET', ACCOUNTS)).acquirer_accounts).toEqual([])
  })

  test('takes notices with each of several secrets', async () => {
    const merchant = await newMerchant(service)
    const body = accountOf({}, { webhook_secret: 'whsec_new, whsec_old' })
    const { acquirer_account: made } = await merchant.ok('POST', ACCOUNTS, body)
    for (const [secret, status] of [
      ['whsec_new', 200],
      ['whsec_old', 200],
      ['whsec_new, whsec_old', 400],
      ['', 400],
    ] as const)
      expect([secret, await send(made.webhook_url, { id: 'evt_1' }, { secret })]).toEqual([secret, status])
  })
})

async function send(
  url: string,
  event: object | string,
  { secret = 'whsec_scenarios', at = Date.now() }: { secret?: string; at?: number } = {},
): Promise<number> {
  const body = typeof event === 'string' ? event : JSON.stringify(event)
  const signature = createHmac('sha256', secret).update(`${at}`).update(body).digest('hex')
  const headers = { 'content-type': 'application/json', 'x-timestamp': `${at}`, 'x-signature': signature }
  return (await fetch(url, { method: 'POST', headers, body })).status
}

// Proves reference/acquirers#notices.
describe('a notice', () => {
  const MINUTES = 60_000
  const about = (name: string, object: object, more: object = {}) => ({
    id: `evt_${randomUUID()}`,
    name,
    account_id: account.merchantId,
    created_at: '2026-11-29T05:34:28+0000',
    data: { object },
    ...more,
  })

  test.each<[string, object | string]>([
    ['of an unknown payment', about('payment_intent.succeeded', { id: 'int_unknown' })],
    ['of an unknown attempt', about('payment_attempt.capture_failed', { id: 'att_unknown' })],
    ['of an unknown refund', about('refund.failed', { id: 'rfd_unknown' })],
    ['of an unknown consent', about('payment_consent.disabled', { id: 'cst_unknown' })],
    ['of an unknown dispute', about('payment_dispute.requires_response', { id: 'dis_unknown' })],
    ['of an unknown kind', about('payout.transfer.sent', { id: 'pyt_1' })],
    ['of a new word of a known kind', about('payment_intent.moved', { id: 'int_unknown' })],
    ['of another account', about('payment_intent.succeeded', { id: 'int_1' }, { account_id: 'acct_other' })],
    [
      'of another account, by the other spelling',
      about('payment_intent.succeeded', { id: 'int_1' }, { account_id: undefined, accountId: 'acct_other' }),
    ],
    [
      'of an organization',
      about('payment_intent.succeeded', { id: 'int_1' }, { account_id: undefined, org_id: 'o' }),
    ],
    ['without an id', about('payment_intent.succeeded', { id: 'int_1' }, { id: undefined })],
    ['without data', about('payment_intent.succeeded', {}, { data: undefined })],
    ['with an id like a path', about('payment_intent.succeeded', { id: '../account' })],
    ['with a long id', about('payment_intent.succeeded', { id: 'i'.repeat(300) })],
    ['that is a list', '[]'],
    ['that is no JSON', 'hello'],
    ['that is empty', ''],
  ])('%s is exactly 200', async (_, event) => {
    expect(await send(account.webhookUrl, event)).toBe(200)
  })

  test('is 400 with a wrong or missing signature, or more than 5 minutes off in either direction', async () => {
    const event = about('payment_intent.succeeded', { id: 'int_unknown' })
    const statuses = {
      now: await send(account.webhookUrl, event),
      late: await send(account.webhookUrl, event, { at: Date.now() - 4.9 * MINUTES }),
      early: await send(account.webhookUrl, event, { at: Date.now() + 4.9 * MINUTES }),
      tooLate: await send(account.webhookUrl, event, { at: Date.now() - 5.1 * MINUTES }),
      tooEarly: await send(account.webhookUrl, event, { at: Date.now() + 5.1 * MINUTES }),
      inSeconds: await send(account.webhookUrl, event, { at: Math.floor(Date.now() / 1_000) }),
      forged: await send(account.webhookUrl, event, { secret: 'whsec_forged' }),
    }
    expect(statuses).toEqual({
      now: 200,
      late: 200,
      early: 200,
      tooLate: 400,
      tooEarly: 400,
      inSeconds: 400,
      forged: 400,
    })
    const bare = { method: 'POST', body: JSON.stringify(event) }
    expect((await fetch(account.webhookUrl, bare)).status).toBe(400)
    expect(
      (await fetch(account.webhookUrl, { ...bare, headers: { 'x-timestamp': `${Date.now()}` } })).status,
    ).toBe(400)
  })

  test('is never believed', async () => {
    const { number, intent } = await askedBy('fps')
    const event = about('payment_intent.succeeded', { id: intent, status: 'SUCCEEDED', captured_amount: 100 })
    expect(await send(account.webhookUrl, event)).toBe(200)
    await client.advanceBy('PT1M')
    expect(['requires_action', 'pending']).toContain((await states(number))[0])
    const paid = await payByCard()
    const failed = {
      ...about('payment_attempt.capture_failed', { id: 'att_1', payment_intent_id: intentOf(paid.reply) }),
    }
    expect(await send(account.webhookUrl, failed)).toBe(200)
    await client.advanceBy('PT1M')
    expect(await states(paid.number)).toEqual(['succeeded'])
  })
})

// Proves reference/payments#wallets, reference/customers#agreements, reference/customers#binding.
describe('bad input of payments and tokens', () => {
  const bind = (payment_token: object, uuid = customer.uuid) =>
    client.call('POST', `${PAYMENTS}/customers/${uuid}/payment_tokens`, { payment_token })

  test.each<[string, object, number[], string]>([
    ['payment_token beside payment_method', { payment_token: token.token }, [400, 422], 'payment_method'],
    ['a return_url that is a script', { return_url: 'javascript:alert(1)' }, [400, 422], 'return_url'],
    ['a return_url that is a path', { return_url: '/back' }, [400, 422], 'return_url'],
    ['an unknown device', { payer_device: 'watch' }, [400], 'payer_device'],
    ['an authorization', { type: 'Authorization' }, [409, 422], 'type'],
    ['an unknown method', { payment_method: 'payme' }, [400, 422], 'payment_method'],
    ['a card as a method', { payment_method: 'credit_card' }, [400, 422], 'payment_method'],
  ])('%s', async (_, members, statuses, name) => {
    const { reply, number } = await askedBy('wallet_b', members)
    expect(statuses).toContain(reply.status)
    expect(JSON.stringify([reply.message, reply.data.error])).toContain(name)
    expect((await client.checkOrder(number)).transactions).toEqual([])
  })

  test.each([
    ['fps', 'USD'],
    ['wallet_b', 'USD'],
    ['wallet_b', 'CNY'],
  ])('%s has no %s', async (method, currency) => {
    const { reply } = await askedBy(method, {}, { currency })
    expect(reply).toMatchObject({ status: 422, message: expect.stringContaining(currency) })
  })

  test('a method that no account takes', async () => {
    const merchant = await newMerchant(service)
    await bank.connect(merchant)
    const { number } = await merchant.createOrder()
    const reply = await merchant.call('POST', `${PAYMENTS}/orders/pay`, {
      order: { number },
      transaction: { type: 'Sales', payment_method: 'fps' },
    })
    expect([409, 422]).toContain(reply.status)
    expect(reply.data.error.reason).toBe('wallet_not_available')
  })

  const acquirerToken = (id: string, accountId = account.id) => ({
    token_type: 'CreditCard',
    acquirer_token: { acquirer_account_id: accountId, id },
  })

  test.each([
    '',
    'pm_card_visa',
    'cst_',
    'cst_a/../../account',
    'cst_a?x=1',
    'cst_%2e%2e',
    `cst_${'x'.repeat(200)}`,
  ])('an acquirer_token that is no id, and no request has it in its path: %j', async (id) => {
    requests.length = 0
    const reply = await bind(acquirerToken(id))
    if (reply.status === 200) expect(reply.data.payment_token.state).toBe('failed')
    else expect([400, 404, 409, 422]).toContain(reply.status)
    expect(requests.filter(({ path }) => path.includes('payment_consents'))).toEqual([])
  })

  test('a consent that is not verified, disabled, for the customer, of another payer, or bound already', async () => {
    const consent = async (trigger: string, isVerified = true) => {
      const { body } = await airwallex('POST', '/pa/payment_consents/create', {
        customer_id: await payerOf(customer.uuid),
        next_triggered_by: trigger,
      })
      const card = { number: '4035501000000008', expiry_month: '12', expiry_year: '2049', cvc: '123' }
      if (isVerified)
        await airwallex('POST', `/pa/payment_consents/${body['id']}/verify`, {
          payment_method: { type: 'card', card },
        })
      return body['id'] as string
    }
    const disabled = await consent('merchant')
    await airwallex('POST', `/pa/payment_consents/${disabled}/disable`)
    for (const id of [await consent('merchant', false), disabled, await consent('customer')]) {
      const reply = await bind(acquirerToken(id))
      expect(reply).toMatchObject({ status: 200, data: { payment_token: { state: 'failed' } } })
    }
    const own = await consent('merchant')
    const other = await client.createCustomer()
    expect((await bind(acquirerToken(own), other.uuid)).data.payment_token).toMatchObject({ state: 'failed' })
    expect((await bind(acquirerToken(own))).data.payment_token).toMatchObject({ state: 'active' })
    expect((await bind(acquirerToken(own))).status).toBe(409)
    expect((await bind(acquirerToken(await consent('merchant'), 'acc_unknown'))).status).toBe(404)
  })

  test.each<[string, object, number[], string]>([
    ['a return_url that is no http', { return_url: 'ftp://shop.example' }, [400, 422], 'return_url'],
    ['default that is a text', { default: 'yes' }, [400], 'default'],
    ['an account that is unknown', { acquirer_account_id: 'acc_unknown' }, [404, 422], 'acquirer_account'],
    ['a card beside it', { credit_card: {} }, [400, 422], 'credit_card'],
    ['an acquirer_token beside it', acquirerToken('cst_1'), [400, 422], 'acquirer_token'],
  ])('an agreement with %s', async (_, members, statuses, name) => {
    const reply = await bind({ ...members, token_type: 'WalletBAutoDebit' })
    expect(statuses).toContain(reply.status)
    expect(JSON.stringify([reply.message, reply.data.error])).toContain(name)
  })
})

// Proves reference/acquirers#airwallex.
describe('where the documents leave it open, both readings work', () => {
  const setTwin = (settings: object) => bank.twin.control('PUT', '/_twin/settings', settings)

  test.each(['redirect', 'redirect_form', 'redirect_iframe'])(
    '3-D Secure as %s: the payer is sent there with its data, and comes back',
    async (three_d_secure) => {
      await setTwin({ three_d_secure })
      const asking = await bank.bind(client, account, 'asks_on_session')
      const order = { customer_uuid: asking.customer.uuid, initial_total: 100 }
      const { number } = await client.createOrder(order)
      const { data } = await client.pay(number, asking.token.token)
      await setTwin({ three_d_secure: 'redirect' })
      expect(data.next_action.type).toBe('three_d_secure')
      if (three_d_secure !== 'redirect') {
        const path = `${PAYMENTS}/orders/check?with_payment_link=true`
        const { payment_link: link } = await client.ok('POST', path, { order: { number } })
        const page = await (await fetch(link)).text()
        expect(page).toContain('method="post"')
        expect(page).toMatch(/name="encodedData"\s+value="\w{24}"/)
      }
      await bank.confirm(data.next_action.url)
      await expect.poll(() => states(number), SOON).toEqual(['succeeded'])
    },
  )

  test.each(['account_id', 'accountId'])('notices name the account as %s', async (notice_account) => {
    await setTwin({ notice_account })
    const { number, intent } = await askedBy('fps')
    expect(await inApp(intent, 'pay')).toBe(200)
    await expect.poll(() => states(number), SOON).toEqual(['succeeded'])
    await setTwin({ notice_account: 'account_id' })
  })

  test.each([
    ['fps', {}, 'webqr', 'qrcode'],
    ['wallet_a_pay', {}, 'qrcode', 'webqr'],
    ['wallet_b', { payer_device: 'ios' }, 'mobile_web', 'mweb'],
  ])('%s %j: a flow that is not called %s is called %s', async (method, members, refused, taken) => {
    const type = method === 'fps' ? 'fps' : method === 'wallet_b' ? 'alipayhk' : 'wechatpay'
    const flows: string[] = []
    proxy.answer = (request) => {
      const [, flow] = /"flow":"(\w+)"/.exec(request.body) ?? []
      if (!isConfirmation(request) || flow === undefined) return undefined
      flows.push(flow)
      const source = `payment_method.${type}.flow`
      return flow === refused ? refusal('validation_error', { source }) : undefined
    }
    const { number, reply, intent } = await askedBy(method, members)
    expect(reply.status).toBe(200)
    expect(flows).toEqual([refused, taken])
    expect(await inApp(intent, 'pay')).toBe(200)
    await expect.poll(() => states(number), SOON).toEqual(['succeeded'])
  })

  test('a code is read as qrcode, or as qrcode_url', async () => {
    proxy.changeReply = (_request, real) => ({
      ...real,
      content: real.content.replaceAll('"qrcode":', '"qrcode_url":'),
    })
    const { reply } = await askedBy('wallet_a_pay')
    expect(reply.data.next_action.qr_code).toMatch(/^weixin:/)
  })
})

// Proves reference/acquirers#airwallex.
test('every request names the version, and each operation has a request_id of its own, also when it is repeated', async () => {
  requests.length = 0
  await bank.twin.setFaults({ fail_before: 1, match: AIRWALLEX.paths.refund, times: 1 })
  const paid = await payByCard()
  await client.call('POST', `${PAYMENTS}/transactions/refund`, { transaction: { uuid: paid.uuid } })
  await client.advanceBy('PT1H')
  await askedBy('fps')
  await askedBy('wallet_a_pay', { payer_device: 'android' })
  await bank.twin.control('POST', '/_twin/end_tokens')
  await payByCard({ type: 'Authorization' })
  const bodies = requests
    .filter(({ method, path }) => method === 'POST' && !path.endsWith('/login'))
    .map(({ path, body }) => ({ path, body, ...(JSON.parse(body) as { request_id: string }) }))
  expect(requests.every(({ headers }) => headers['x-api-version'] === '2025-06-30')).toBe(true)
  const byId = new Map<string, Set<string>>()
  for (const { path, body, request_id: id } of bodies) {
    expect(id.length).toBeLessThanOrEqual(64)
    byId.set(id, (byId.get(id) ?? new Set()).add(path + body))
  }
  expect([...byId.values()].every(({ size }) => size === 1)).toBe(true)
  expect(bodies.length).toBeGreaterThan(byId.size)
})
