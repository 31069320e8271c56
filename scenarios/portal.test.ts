import { beforeAll, describe, expect, test } from 'vitest'
import { CheckingClient } from './harness/checking-client.ts'
import { type ApiReply, cardToBind, type Client, monthly } from './harness/client.ts'
import { createBusiness } from './harness/command-line.ts'
import { startScenario } from './harness/scenario.ts'

// Proves reference/portal#settings, reference/portal#sessions, reference/portal#fences, reference/portal#operations,
// reference/portal#answers, reference/portal#changes, reference/portal#cancellations, reference/portal#payments, reference/portal#records.
const { service } = await startScenario()
const client = new CheckingClient(service.sandbox)
const stranger = new CheckingClient(await createBusiness(service))

const BILLING = '/svc/billing/api/v1/openapi'
const PLANS = '/svc/payment/api/v1/openapi/recurring_payments/plan'
const PORTAL = '/svc/portal/api/v1/openapi'
const REASONS = ['Too expensive', 'Not used']

interface Shop {
  readonly merchant: Client
  readonly small: string
  readonly large: string
  readonly entity: string
  readonly coupon: string
}

interface Payer {
  readonly uuid: string
  readonly token: string
  readonly plan: string
  readonly invoice: string
}

async function openShop(merchant: Client): Promise<Shop> {
  const { legal_entity } = await merchant.ok('POST', `${BILLING}/legal_entities`, {
    legal_entity: {
      name: 'Example GmbH',
      address: { line1: 'Hauptstr. 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
      registrations: [],
    },
  })
  const { coupon } = await merchant.ok('POST', `${BILLING}/coupons`, {
    coupon: { name: 'Stay', percent_off: 50, times: 3 },
  })
  const [small, large] = [await merchant.createItem(10), await merchant.createItem(30)]
  return { merchant, small, large, entity: legal_entity.id, coupon: coupon.id }
}

async function createPayer({ merchant, small, entity }: Shop): Promise<Payer> {
  const { uuid } = await merchant.createCustomer({ email: 'chan@example.com' })
  const { token } = await merchant.bindCard(uuid, '4242424242424242')
  const { id: plan } = await merchant.createPlan({
    customer_uuid: uuid,
    note: 'a note of the merchant',
    metadata: { internal: 'yes' },
    recurring_cycles: monthly(small),
  })
  const { invoice } = await merchant.ok('POST', `${BILLING}/invoices`, {
    invoice: {
      customer_uuid: uuid,
      currency: 'HKD',
      collection: 'send_invoice',
      legal_entity_id: entity,
      metadata: { internal: 'yes' },
      lines: [{ label: 'Setup', quantity: 1, unit_amount: 10 }],
    },
  })
  await merchant.advanceBy('PT1M')
  return { uuid, token, plan, invoice: invoice.id }
}

const shop = await openShop(client)
const theirs = await openShop(stranger)
const all = {
  invoices: true,
  payment_methods: true,
  billing_details: true,
  usage: true,
  reactivate: true,
  change: { price_ids: [shop.small, shop.large], at: 'now' },
  pause: { max_days: 30 },
  cancel: { reasons: REASONS, offer_coupon_id: shop.coupon },
}

const allow = (members: object): Promise<unknown> =>
  client.ok('PUT', `${BILLING}/portal`, { portal: { allow: members } })

async function sessionOf(customerUuid: string, members: object = {}) {
  const { portal_session } = await client.ok('POST', `${BILLING}/portal/sessions`, {
    portal_session: { customer_uuid: customerUuid, ...members },
  })
  return portal_session as { url: string; token: string; expires_at: string }
}

function call(token: string, method: string, path: string, body?: unknown, key?: string): Promise<ApiReply> {
  return client.call(method, `${PORTAL}${path}`, body, {
    headers: { authorization: `Bearer ${token}` },
    ...(key !== undefined && { idempotencyKey: key }),
  })
}

const outcome = ({ status, data }: ApiReply) => (status === 200 ? 200 : `${status} ${data.error.reason}`)

type Ids = Pick<Payer, 'plan' | 'invoice' | 'token'>
interface Operation {
  readonly permission: keyof typeof all | null
  readonly call: readonly [method: string, path: (ids: Ids) => string, body?: (ids: Ids) => object]
  readonly names: 'plan' | 'invoice' | 'token' | null
}

/** Every operation of the portal: what allows it, how it is called, and what kind of object it names. */
const OPERATIONS: readonly Operation[] = [
  { permission: null, names: null, call: ['GET', () => '/overview'] },
  { permission: null, names: null, call: ['GET', () => '/plans'] },
  { permission: 'usage', names: 'plan', call: ['GET', ({ plan }) => `/plans/${plan}/usage`] },
  { permission: 'invoices', names: null, call: ['GET', () => '/invoices'] },
  {
    permission: 'invoices',
    names: 'invoice',
    call: ['GET', ({ invoice }) => `/invoices/${invoice}/document`],
  },
  {
    permission: 'change',
    names: 'plan',
    call: [
      'POST',
      ({ plan }) => `/plans/${plan}/change/preview`,
      () => ({ change: { replace: [{ from: shop.small, to: shop.large }] } }),
    ],
  },
  {
    permission: 'change',
    names: 'plan',
    call: [
      'POST',
      ({ plan }) => `/plans/${plan}/change`,
      () => ({
        change: { recurring_items: [{ recurring_item_id: shop.small, quantity: 2 }], expected_total: 10 },
      }),
    ],
  },
  { permission: 'pause', names: 'plan', call: ['POST', ({ plan }) => `/plans/${plan}/pause`, () => ({})] },
  { permission: 'pause', names: 'plan', call: ['POST', ({ plan }) => `/plans/${plan}/resume`] },
  {
    permission: 'cancel',
    names: 'plan',
    call: ['POST', ({ plan }) => `/plans/${plan}/cancel`, () => ({ reason: 'Not used' })],
  },
  { permission: 'cancel', names: 'plan', call: ['POST', ({ plan }) => `/plans/${plan}/uncancel`] },
  { permission: 'cancel', names: 'plan', call: ['POST', ({ plan }) => `/plans/${plan}/accept_offer`] },
  { permission: 'payment_methods', names: null, call: ['GET', () => '/payment_tokens'] },
  {
    permission: 'payment_methods',
    names: null,
    call: ['POST', () => '/payment_tokens', () => ({ payment_token: cardToBind('5555555555554444') })],
  },
  {
    permission: 'payment_methods',
    names: 'token',
    call: ['POST', ({ token }) => `/payment_tokens/${token}/default`],
  },
  { permission: 'billing_details', names: null, call: ['GET', () => '/billing_details'] },
  {
    permission: 'billing_details',
    names: null,
    call: ['PUT', () => '/billing_details', () => ({ billing_details: { invoice_email: 'b@example.com' } })],
  },
  {
    permission: 'invoices',
    names: 'invoice',
    call: [
      'POST',
      ({ invoice }) => `/invoices/${invoice}/pay`,
      ({ token }) => ({ payment_token: token, expected_total: 10 }),
    ],
  },
  {
    permission: 'payment_methods',
    names: 'token',
    call: ['DELETE', ({ token }) => `/payment_tokens/${token}`],
  },
  {
    permission: 'reactivate',
    names: 'plan',
    call: ['POST', ({ plan }) => `/plans/${plan}/reactivate`, () => ({ expected_total: 20 })],
  },
]

const send = (token: string, { call: [method, path, body] }: Operation, ids: Ids) =>
  path(ids).includes('/document')
    ? callForFile(token, path(ids))
    : call(token, method, path(ids), body?.(ids)).then(outcome)

async function callForFile(token: string, path: string) {
  const response = await fetch(`${client.sandbox.base_url}${PORTAL}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  if (response.status === 200) return 200
  const { data } = (await response.json()) as ApiReply
  return `${response.status} ${data.error.reason}`
}

describe('fences', () => {
  let payer: Payer
  let another: Payer
  let foreign: Payer
  let token = ''

  beforeAll(async () => {
    payer = await createPayer(shop)
    another = await createPayer(shop)
    foreign = await createPayer(theirs)
    ;({ token } = await sessionOf(payer.uuid))
  })

  test('what is not allowed is 403 for own, other and unknown objects alike', async () => {
    for (const operation of OPERATIONS) {
      const { permission } = operation
      const others = permission === null ? all : { ...all, [permission]: undefined }
      await allow(others)
      for (const ids of [payer, another, foreign]) {
        expect([operation.call[1](ids), await send(token, operation, ids)]).toEqual([
          operation.call[1](ids),
          permission === null ? 200 : '403 portal_not_allowed',
        ])
      }
    }
  })

  test('what is not allowed is 403 whatever is sent', async () => {
    await allow({})
    for (const {
      permission,
      call: [method, path],
    } of OPERATIONS) {
      if (permission === null || method === 'GET') continue
      for (const body of [undefined, {}, { unknown: true }]) {
        expect(outcome(await call(token, method, path(payer), body))).toBe('403 portal_not_allowed')
      }
    }
  })

  test('objects of another customer and of another business are 404', async () => {
    await allow(all)
    const NOT_FOUND = {
      plan: '404 plan_not_found',
      invoice: '404 invoice_not_found',
      token: '404 payment_token_not_found',
    }
    for (const operation of OPERATIONS) {
      if (operation.names === null) continue
      for (const ids of [another, foreign]) {
        expect([operation.call[1](ids), await send(token, operation, ids)]).toEqual([
          operation.call[1](ids),
          NOT_FOUND[operation.names],
        ])
      }
    }
    // A token in a body, too.
    const pay = await call(token, 'POST', `/invoices/${payer.invoice}/pay`, {
      payment_token: another.token,
      expected_total: 10,
    })
    expect(pay).toMatchObject({ status: 404, data: { error: { param: 'payment_token' } } })
  })

  test('what is allowed works for the customer’s own objects, and each write is audited', async () => {
    await allow(all)
    const done: unknown[] = []
    const answers: Record<string, unknown> = {
      DELETE: '409 token_in_use',
      reactivate: '409 plan_not_reactivatable',
    }
    for (const operation of OPERATIONS) {
      const path = operation.call[1](payer)
      done.push([path, await send(token, operation, payer)])
      const expected = answers[operation.call[0]] ?? answers[path.split('/').at(-1) ?? ''] ?? 200
      expect(done.at(-1)).toEqual([path, expected])
    }
    const { audit_entries } = await client.ok(
      'GET',
      `/svc/log/api/v1/openapi/audit_entries?limit=100&filter=${encodeURIComponent(`actor_type = portal AND actor_id = ${payer.uuid}`)}`,
    )
    const actions = new Set(audit_entries.map(({ action }: { action: string }) => action))
    for (const action of ['plans.change', 'plans.cancel', 'plans.accept_offer', 'invoices.pay']) {
      expect(actions).toContain(action)
    }
    expect(JSON.stringify(audit_entries)).not.toContain(token)
    const { timeline } = await client.ok('GET', `${PLANS}/${payer.plan}/timeline`)
    expect(JSON.stringify(timeline)).toContain(`portal:${payer.uuid}`)
  })

  test('answers leave out what is the merchant’s own', async () => {
    await allow(all)
    for (const path of ['/overview', '/plans', '/invoices', '/payment_tokens', '/billing_details']) {
      const text = JSON.stringify((await call(token, 'GET', path)).data)
      expect([path, text.match(/"(?:note|metadata|callback_url|reference_id|tax_exempt)"/)]).toEqual([
        path,
        null,
      ])
    }
  })
})

describe('sessions', () => {
  test('a token opens the portal of its customer only, and neither a key nor another kind of token does', async () => {
    const payer = await createPayer(shop)
    const { url, token } = await sessionOf(payer.uuid)
    expect(await call(token, 'GET', '/overview')).toMatchObject({
      status: 200,
      data: { overview: { customer: { uuid: payer.uuid } } },
    })
    const link = url.split('/').at(-1) ?? ''
    for (const wrong of [client.sandbox.api_key, link, `${token}x`, token.slice(0, -4), 'qps_', '']) {
      expect((await call(wrong, 'GET', '/overview')).status).toBe(401)
    }
    const atMerchant = await client.call('GET', PLANS, undefined, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(atMerchant.status).toBe(401)
  })

  test('a read-only session shows everything and changes nothing', async () => {
    await allow(all)
    const payer = await createPayer(shop)
    const { token } = await sessionOf(payer.uuid, { read_only: true })
    for (const operation of OPERATIONS) {
      const isRead = operation.call[0] === 'GET' || operation.call[1](payer).endsWith('/preview')
      expect(await send(token, operation, payer)).toBe(isRead ? 200 : '403 portal_not_allowed')
    }
  })

  test('any origin may call, without credentials', async () => {
    const { token } = await sessionOf((await createPayer(shop)).uuid)
    const address = `${client.sandbox.base_url}${PORTAL}/overview`
    const origin = { origin: 'https://shop.example.com' }
    const preflight = await fetch(address, {
      method: 'OPTIONS',
      headers: { ...origin, 'access-control-request-method': 'GET' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization')
    for (const authorization of [`Bearer ${token}`, 'Bearer wrong']) {
      const { headers } = await fetch(address, { headers: { ...origin, authorization } })
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-allow-credentials')).toBeNull()
    }
    // A page may read that it mistyped a path, too.
    const unknown = `${address}s`
    expect((await fetch(unknown, { method: 'OPTIONS', headers: origin })).status).toBe(204)
    const refused = await fetch(unknown, { headers: origin })
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([404, '*'])
  })
})

describe('rules', () => {
  let payer: Payer
  let token = ''

  beforeAll(async () => {
    await allow(all)
    payer = await createPayer(shop)
    ;({ token } = await sessionOf(payer.uuid))
  })

  test('a change needs the total that was seen and takes nothing that the merchant decides', async () => {
    const path = `/plans/${payer.plan}/change`
    const replace = [{ from: shop.small, to: shop.large }]
    const preview = await call(token, 'POST', `${path}/preview`, { change: { replace } })
    const { total } = preview.data.change
    expect(await call(token, 'POST', path, { change: { replace } })).toMatchObject({
      status: 400,
      data: { error: { param: 'change.expected_total' } },
    })
    for (const one of [path, `${path}/preview`]) {
      const bare = one === path ? { expected_total: total } : {}
      expect(outcome(await call(token, 'POST', one, { change: bare }))).toBe('400 missing_member')
    }
    for (const member of [{ at: 'period_end' }, { proration: 'none' }, { only_if_paid: true }]) {
      const reply = await call(token, 'POST', path, { change: { replace, expected_total: total, ...member } })
      expect(reply.status).toBe(400)
    }
    const other = await client.createItem(1)
    const forbidden = { replace: [{ from: shop.small, to: other }], expected_total: total }
    expect(outcome(await call(token, 'POST', path, { change: forbidden }))).toBe('403 portal_not_allowed')
    expect(outcome(await call(token, 'POST', path, { change: { replace, expected_total: 1 } }))).toBe(
      '409 total_changed',
    )
    const clicks = await Promise.all(
      [1, 2].map(() => call(token, 'POST', path, { change: { replace, expected_total: total } })),
    )
    expect(clicks.filter(({ status }) => status === 200)).toHaveLength(1)
    const orders = await client.orders(`customer.uuid = "${payer.uuid}"`)
    expect(orders.filter(({ billing }) => billing?.kind === 'change')).toHaveLength(1)
  })

  test('a pause ends by itself within the days that are allowed', async () => {
    const now = await client.now()
    const late = now.add({ hours: 24 * 40 }).toString()
    expect(outcome(await call(token, 'POST', `/plans/${payer.plan}/pause`, { until: late }))).toBe(
      '422 until_invalid',
    )
    const { data } = await call(token, 'POST', `/plans/${payer.plan}/pause`, {})
    const days = now.until(Temporal.Instant.from(data.plan.pause_until)).total('hours') / 24
    expect(Math.round(days)).toBe(30)
    expect((await call(token, 'POST', `/plans/${payer.plan}/resume`)).status).toBe(200)
  })

  test('a cancellation needs a reason, comes at the end of the period, and an offer is spent once', async () => {
    const path = `/plans/${payer.plan}`
    expect((await call(token, 'POST', `${path}/cancel`, {})).status).toBe(400)
    expect(outcome(await call(token, 'POST', `${path}/cancel`, { reason: 'Other' }))).toBe(
      '422 cancel_reason_unknown',
    )
    await call(token, 'POST', `${path}/cancel`, { reason: 'Not used', comment: 'Sorry' })
    expect(await client.getPlan(payer.plan)).toMatchObject({
      state: 'active',
      cancel_at: expect.any(String),
      cancellation: { reason: 'Not used', comment: 'Sorry', by: 'portal' },
    })
    const written = (await client.events(payer.plan)).length
    await call(token, 'POST', `${path}/cancel`, { reason: 'Not used', comment: 'Sorry' })
    await client.ok('POST', `${PLANS}/${payer.plan}/cancel`, { at_period_end: true })
    expect(await client.events(payer.plan)).toHaveLength(written)
    await call(token, 'POST', `${path}/cancel`, { reason: 'Not used', comment: 'Very sorry' })
    const events = (await client.events(payer.plan)).slice(written)
    expect(events.map(({ type }) => type)).toEqual(['plan.updated'])
    const { plan } = (await call(token, 'POST', `${path}/accept_offer`)).data
    expect(plan).toMatchObject({ coupons: [{ id: shop.coupon }] })
    expect([plan.cancel_at, plan.cancellation]).toEqual([undefined, undefined])
    await client.ok('DELETE', `${PLANS}/${payer.plan}/coupons/${shop.coupon}`)
    expect(outcome(await call(token, 'POST', `${path}/accept_offer`))).toBe('409 offer_spent')
  })

  test('an invoice is paid once, for the total that was seen', async () => {
    const path = `/invoices/${payer.invoice}/pay`
    const body = { payment_token: payer.token, expected_total: 10 }
    expect(outcome(await call(token, 'POST', path, { payment_token: payer.token }))).toBe(
      '400 missing_member',
    )
    expect(outcome(await call(token, 'POST', path, { ...body, expected_total: 9 }))).toBe('409 total_changed')
    const clicks = await Promise.all([1, 2, 3].map(() => call(token, 'POST', path, body, 'one-click')))
    expect(clicks.some(({ status }) => status === 200)).toBe(true)
    const again = await call(token, 'POST', path, body, 'one-click')
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
    expect(JSON.stringify(again.data)).not.toContain('merchant_id')
    for (const total of [10, 0]) {
      const late = await call(token, 'POST', path, { ...body, expected_total: total })
      expect(outcome(late)).toBe('409 order_not_payable')
    }
    const { invoice } = await client.ok('GET', `${BILLING}/invoices/${payer.invoice}`)
    expect([invoice.state, invoice.payments.length]).toEqual(['paid', 1])
  })

  test('the same key of two customers belongs to each of them', async () => {
    const another = await createPayer(shop)
    const session = await sessionOf(another.uuid)
    const body = { billing_details: { invoice_email: 'same@example.com' } }
    for (const one of [token, session.token]) {
      const reply = await call(one, 'PUT', '/billing_details', body, 'same-key')
      expect([reply.status, reply.headers.get('idempotent-replayed')]).toEqual([200, null])
    }
  })

  test('the default token goes only where the merchant lets it', async () => {
    await allow({ ...all, payment_methods: { remove_last: true } })
    expect((await call(token, 'DELETE', `/payment_tokens/${payer.token}`)).status).toBe(200)
    await allow(all)
  })

  test('a payer comes back to a plan that has ended, for the total that was seen', async () => {
    await client.ok('POST', `${PLANS}/${payer.plan}/cancel`, {})
    const path = `/plans/${payer.plan}/reactivate`
    const refused = await call(token, 'POST', path, { expected_total: 1 })
    expect(outcome(refused)).toBe('409 total_changed')
    const reply = await call(token, 'POST', path, { expected_total: refused.data.total })
    expect([reply.status, reply.data.plan.state]).toEqual([200, 'active'])
  })

  test('settings that name something unknown are refused', async () => {
    const put = (members: object) =>
      client.call('PUT', `${BILLING}/portal`, { portal: { allow: members } }).then(outcome)
    expect(await put({ change: { price_ids: ['no-such-price'] } })).toBe('422 portal_invalid')
    expect(await put({ cancel: { reasons: REASONS, offer_coupon_id: theirs.coupon } })).toBe(
      '422 portal_invalid',
    )
  })
})

interface Visit {
  readonly cookie: string
  readonly get: (path: string) => Promise<{ status: number; html: string; headers: Headers }>
  readonly post: (path: string, form: Record<string, string>) => Promise<Response>
}

async function openPortal(url: string): Promise<Visit> {
  const opened = await fetch(url, { method: 'POST', redirect: 'manual' })
  const cookie = (opened.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const base = client.sandbox.base_url
  return {
    cookie,
    get: async (path) => {
      const reply = await fetch(`${base}/portal${path}`, { headers: { cookie }, redirect: 'manual' })
      return { status: reply.status, html: await reply.text(), headers: reply.headers }
    },
    post: (path, form) =>
      fetch(`${base}/portal${path}`, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
        redirect: 'manual',
      }),
  }
}

const fieldOf = (html: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''

/** The ids of what a page focuses when it has loaded, or the roles of what has no id. */
const focusedIn = (html: string) =>
  [...html.matchAll(/<[^>]+\sautofocus[^>]*>/g)].map(([tag]) => /\s(?:id|role)="(\w+)"/.exec(tag)?.[1])

// Proves reference/portal#links, reference/portal#pages.
describe('links', () => {
  test('a link opens once: looking at it uses nothing up, and six who open it at once get one session', async () => {
    const { url, token } = await sessionOf((await createPayer(shop)).uuid)
    for (const method of ['GET', 'HEAD', 'GET']) expect((await fetch(url, { method })).status).toBe(200)
    const opened = await Promise.all(
      Array.from({ length: 6 }, () => fetch(url, { method: 'POST', redirect: 'manual' })),
    )
    expect(opened.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(opened.filter(({ status }) => status === 410)).toHaveLength(5)
    const cookies = opened.flatMap(({ headers }) => headers.getSetCookie())
    expect(cookies).toHaveLength(1)
    expect(cookies[0]).toMatch(/^portal=qpp_\S+; Path=\/portal; Max-Age=3600; HttpOnly; SameSite=Lax$/)
    expect((await fetch(url)).status).toBe(410)
    // The token is good whether or not the link was opened.
    expect((await call(token, 'GET', '/overview')).status).toBe(200)
  })

  test('forged and swapped links and cookies open nothing', async () => {
    const { url, token } = await sessionOf((await createPayer(shop)).uuid)
    const base = client.sandbox.base_url
    const forged = [`${url}x`, `${base}/portal/open/${token}`, `${base}/portal/open/qpl_a.b.c.d.e`]
    for (const address of forged) {
      expect((await fetch(address, { method: 'POST', redirect: 'manual' })).status).toBe(404)
    }
    for (const cookie of [`portal=${token}`, `portal=${url.split('/').at(-1)}`, 'portal=x', '']) {
      expect((await fetch(`${base}/portal`, { headers: { cookie } })).status).toBe(401)
    }
    const { post, get } = await openPortal(url)
    for (const path of ['/plans/%00', '/plans/%00/cancel', '/invoices/%00/document']) {
      expect((await get(path)).status).toBe(404)
    }
    expect((await post('/cards/%00/delete', {})).status).toBe(404)
    expect((await post('/sign-out', {})).status).toBe(401)
    expect((await get('')).status).toBe(401)
    expect((await call(token, 'GET', '/overview')).status).toBe(401)
  })

  test('the sessions and links of an erased customer end with the reply of the erasure', async () => {
    await allow({ payment_methods: true })
    const { uuid } = await client.createCustomer({ email: 'erased@example.com' })
    const [session, unopened] = [await sessionOf(uuid), await sessionOf(uuid)]
    const { get } = await openPortal(session.url)
    expect((await get('/cards')).status).toBe(200)
    await client.ok('POST', `/svc/privacy/api/v1/openapi/customers/${uuid}/erasures`)
    const statuses = [
      (await get('/cards')).status,
      (await call(session.token, 'GET', '/overview')).status,
      (await fetch(unopened.url)).status,
      (await fetch(unopened.url, { method: 'POST', redirect: 'manual' })).status,
    ]
    expect(statuses).toEqual([401, 401, 410, 410])
  })

  test('a form of more than 16 kB is refused before it is parsed, with and without a session', async () => {
    const { uuid } = await createPayer(shop)
    const { portal } = await client.ok('GET', `${BILLING}/portal`)
    // Half a million fields, which are 1 MB, took seconds to parse.
    const body = 'a&'.repeat(8_500)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const link = (await sessionOf(uuid)).url
    const sent = [portal.sign_in_url, link].map((url) => fetch(url, { method: 'POST', headers, body }))
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([413, 413])
    const { post } = await openPortal(link)
    expect((await post('/details', { line1: 'a'.repeat(17_000) })).status).toBe(413)
  })

  test('a form of another site is refused, also by its origin alone', async () => {
    const { url } = await sessionOf((await createPayer(shop)).uuid)
    const openFrom = (headers: Record<string, string>) =>
      fetch(url, { method: 'POST', redirect: 'manual', headers }).then(({ status }) => status)
    const own = new URL(url).origin
    const refused = [
      await openFrom({ origin: 'https://evil.example' }),
      await openFrom({ origin: own, 'sec-fetch-site': 'cross-site' }),
    ]
    expect(refused).toEqual([403, 403])
    expect(await openFrom({ origin: own })).toBe(303)
    // Our pages send no referrer, so browsers write `null`.
    const another = await sessionOf((await createPayer(shop)).uuid)
    const reply = await fetch(another.url, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: 'null', 'sec-fetch-site': 'same-origin' },
    })
    expect(reply.status).toBe(303)
  })
})

describe('pages', () => {
  test('a price names its interval, on the plan and where another is chosen', async () => {
    await allow(all)
    const payer = await createPayer(shop)
    const [cycle] = monthly(shop.small)
    const quarterly = await client.createPlan({
      customer_uuid: payer.uuid,
      recurring_cycles: [{ ...cycle, recurring_billing_config: 'FREQ=MONTHLY;INTERVAL=3' }],
    })
    const { get } = await openPortal((await sessionOf(payer.uuid)).url)
    const shown = async (path: string) =>
      (await get(path)).html.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ')
    expect(await shown(`/plans/${payer.plan}`)).toContain('HK$10.00 / month')
    expect(await shown(`/plans/${payer.plan}/change`)).toContain('HK$30.00 / month')
    expect(await shown(`/plans/${quarterly.id}?lang=de`)).toContain('10,00 HK$ / 3 Monate')
  })

  test('a plan whose payment failed shows what is due with a link that pays it, also after the last retry', async () => {
    await allow(all)
    const { uuid } = await client.createCustomer({ email: 'late@example.com' })
    await client.bindCard(uuid, '4000000000000341')
    const { id } = await client.createPlan({
      customer_uuid: uuid,
      payment_retry_count: 1,
      recurring_cycles: monthly(shop.small),
    })
    await expect.poll(async () => (await client.getPlan(id)).state).toBe('uncollectible')
    const session = await sessionOf(uuid)
    const { get } = await openPortal(session.url)
    const due = async (from: typeof get) => {
      const pages = [await from('?lang=de'), await from(`/plans/${id}?lang=de`)]
      return pages.map(
        ({ html }) => /href="(\S+\/pay\/[^"]+)"[^>]*>10,00\sHK\$ bezahlen</.exec(html)?.[1] ?? html,
      )
    }
    const [link = '', linkOfPlan] = await due(get)
    expect(link).toBe(linkOfPlan)
    expect(await (await fetch(`${link}?lang=de`)).text()).toMatch(/10,00\sHK\$ bezahlen/)
    const { due_orders } = (await call(session.token, 'GET', '/overview')).data
    expect(due_orders).toMatchObject([{ plan_id: id, amount: 10, currency: 'HKD', payment_link: link }])
    const watched = await openPortal((await sessionOf(uuid, { read_only: true })).url)
    const [seen] = await due(watched.get)
    expect(seen).toMatch(/10,00\sHK\$/)
    expect(seen).not.toContain('/pay/')
    // What is paid, and what a card is charged for by itself, is not due.
    const paid = await createPayer(shop)
    const overview = await call((await sessionOf(paid.uuid)).token, 'GET', '/overview')
    expect(overview.data.due_orders).toEqual([])
  })

  test('a card that cannot be read is refused, and in a read-only session any card is', async () => {
    const { uuid } = await createPayer(shop)
    const card = { number: '4242424242424241', expiry: '12 / 49', cvc: '123', name: 'Chan Tai Man' }
    const { post } = await openPortal((await sessionOf(uuid)).url)
    const refused = await post('/cards', card)
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('aria-invalid')])
    const watched = await openPortal((await sessionOf(uuid, { read_only: true })).url)
    expect((await watched.post('/cards', card)).status).toBe(403)
  })

  test('who may pay invoices and not see cards is led to the payment page of the order', async () => {
    await allow({ invoices: true })
    const payer = await createPayer(shop)
    const path = `/invoices/${payer.invoice}/pay`
    const { get } = await openPortal((await sessionOf(payer.uuid)).url)
    const { html } = await get(path)
    expect(html).not.toContain('/portal/cards')
    const link = /href="(\S+\/pay\/[^"]+)"/.exec(html)?.[1] ?? ''
    const opened = await fetch(link)
    expect([opened.status, await opened.text()]).toEqual([200, expect.stringContaining('10.00')])
    const watched = await openPortal((await sessionOf(payer.uuid, { read_only: true })).url)
    expect((await watched.get(path)).html).not.toMatch(/href="\S+\/pay\//)
  })

  test('a payer comes back on the page for the total that is charged, also where that is not the price', async () => {
    await allow(all)
    const { uuid } = await createPayer(shop)
    const coupons = [shop.coupon]
    const { id } = await client.createPlan({
      customer_uuid: uuid,
      recurring_cycles: monthly(shop.small),
      coupons,
    })
    await client.ok('POST', `${PLANS}/${id}/cancel`, {})
    const path = `/plans/${id}`
    const { get, post } = await openPortal((await sessionOf(uuid)).url)
    const comeBack = (html: string) =>
      post(`${path}/reactivate`, {
        attempt: fieldOf(html, 'attempt'),
        expected_total: fieldOf(html, 'expected_total'),
      })
    const refused = await comeBack((await get(path)).html)
    expect(refused.status).toBe(409)
    const html = await refused.text()
    expect(fieldOf(html, 'expected_total')).toBe('5.00')
    expect((await comeBack(html)).status).toBe(303)
    expect((await client.getPlan(id)).state).toBe('active')
  })

  test('a payer cancels, stays, changes, adds a card and pays without a script', async () => {
    await allow(all)
    const payer = await createPayer(shop)
    const { url } = await sessionOf(payer.uuid, { flow: 'cancel', plan_id: payer.plan })
    const { get, post } = await openPortal(url)
    for (const path of ['', `/plans/${payer.plan}`, '/invoices', '/cards', '/details']) {
      const { status, html, headers } = await get(`${path}?lang=de`)
      expect([path, status]).toEqual([path, 200])
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('content-security-policy')).toContain("script-src 'self'")
      expect(html).not.toMatch(/<script| style=| on[a-z]+=/)
      expect(html).toContain('lang="de"')
    }
    const cancel = await get(`/plans/${payer.plan}/cancel`)
    const attempt = fieldOf(cancel.html, 'attempt')
    const sent = await post(`/plans/${payer.plan}/cancel`, { attempt, reason: 'Not used', comment: 'Bye' })
    expect(sent.status).toBe(303)
    expect(await client.getPlan(payer.plan)).toMatchObject({
      cancellation: { reason: 'Not used', by: 'portal' },
    })
    expect((await post(`/plans/${payer.plan}/accept_offer`, { attempt: 'a' })).status).toBe(303)
    expect((await client.getPlan(payer.plan)).cancel_at).toBeUndefined()
    expect(focusedIn((await get(`/plans/${payer.plan}?done=1`)).html)).toEqual(['status'])
    const again = (await get(`/plans/${payer.plan}/cancel`)).html
    expect([cancel.html, again].map((html) => html.includes('/accept_offer'))).toEqual([true, false])
    const choice = { price: shop.large, quantity: '1' }
    const preview = await (await post(`/plans/${payer.plan}/change`, choice)).text()
    const confirmed = {
      ...choice,
      attempt: fieldOf(preview, 'attempt'),
      expected_total: fieldOf(preview, 'expected_total'),
    }
    const clicks = await Promise.all([1, 2].map(() => post(`/plans/${payer.plan}/change`, confirmed)))
    expect(clicks.some(({ status }) => status === 303)).toBe(true)
    const orders = await client.orders(`customer.uuid = "${payer.uuid}"`)
    expect(orders.filter(({ billing }) => billing?.kind === 'change')).toHaveLength(1)
    const card = { number: '4000 0025 0000 3155', expiry: '12 / 49', cvc: '123', name: 'Chan Tai Man' }
    expect(focusedIn(await (await post('/cards', { ...card, number: '1' })).text())).toEqual(['number'])
    const secure = await post('/cards', card)
    expect([secure.status, secure.headers.get('location')]).toEqual([
      303,
      expect.stringContaining('/verify/'),
    ])
    const pay = await get(`/invoices/${payer.invoice}/pay`)
    const body = {
      attempt: fieldOf(pay.html, 'attempt'),
      expected_total: fieldOf(pay.html, 'expected_total'),
      payment_token: payer.token,
    }
    const paid = await Promise.all([1, 2].map(() => post(`/invoices/${payer.invoice}/pay`, body)))
    expect(paid.some(({ status }) => status === 303)).toBe(true)
    const { invoice } = await client.ok('GET', `${BILLING}/invoices/${payer.invoice}`)
    expect([invoice.state, invoice.payments.length]).toEqual(['paid', 1])
    const details = {
      line1: 'Ringstr. 2',
      postal_code: '1010',
      city: 'Wien',
      country: 'AT',
      vat: 'ATU13585627',
    }
    expect((await post('/details', details)).status).toBe(303)
    const refused = await post('/details', { ...details, vat: 'ATU13585626' })
    expect(refused.status).toBe(422)
    const shown = await refused.text()
    expect(focusedIn(shown)).toEqual(['vat'])
    expect(shown).toMatch(
      /id="vat"[^>]*value="ATU13585626"[^>]*aria-describedby="problem"[^<]*<p class="field-problem" id="problem">/,
    )
    expect(focusedIn(await (await post('/details', { ...details, country: 'XX' })).text())).toHaveLength(1)
  })

  test('a link opens at its page, as far as that is allowed', async () => {
    await allow(all)
    const payer = await createPayer(shop)
    const begin = async (members: object) => {
      const { url } = await sessionOf(payer.uuid, members)
      const { headers } = await fetch(url, { method: 'POST', redirect: 'manual' })
      return new URL(headers.get('location') ?? '', url).pathname
    }
    const plan = `/portal/plans/${payer.plan}`
    expect(await begin({ flow: 'payment_method' })).toBe('/portal/cards')
    expect(await begin({ flow: 'cancel' })).toBe(`${plan}/cancel`)
    expect(await begin({ flow: 'change', plan_id: payer.plan })).toBe(`${plan}/change`)
    expect(await begin({ plan_id: payer.plan })).toBe(plan)
    expect(await begin({})).toBe('/portal')
    await allow({})
    expect(await begin({ flow: 'payment_method' })).toBe('/portal')
    expect(await begin({ flow: 'cancel', plan_id: payer.plan })).toBe(plan)
    await allow(all)
  })

  test('an invoice can be paid however many are newer', async () => {
    const payer = await createPayer(shop)
    const create = () =>
      client.ok('POST', `${BILLING}/invoices`, {
        invoice: {
          customer_uuid: payer.uuid,
          currency: 'HKD',
          collection: 'send_invoice',
          legal_entity_id: shop.entity,
          lines: [{ label: 'Newer', quantity: 1, unit_amount: 1 }],
        },
      })
    for (let batch = 0; batch < 10; batch++) await Promise.all(Array.from({ length: 10 }, create))
    await client.advanceBy('PT1M')
    await create()
    const { get, post } = await openPortal((await sessionOf(payer.uuid)).url)
    const pay = await get(`/invoices/${payer.invoice}/pay`)
    const paid = await post(`/invoices/${payer.invoice}/pay`, {
      attempt: fieldOf(pay.html, 'attempt'),
      expected_total: fieldOf(pay.html, 'expected_total'),
      payment_token: payer.token,
    })
    expect([pay.status, paid.status]).toEqual([200, 303])
    const another = await createPayer(shop)
    expect((await get(`/invoices/${another.invoice}/pay`)).status).toBe(404)
    expect((await get(`/plans/${another.plan}`)).status).toBe(404)
  })

  test('what is not allowed has no page, and a read-only session changes nothing', async () => {
    const payer = await createPayer(shop)
    const { get, post } = await openPortal((await sessionOf(payer.uuid, { read_only: true })).url)
    expect((await get(`/plans/${payer.plan}`)).status).toBe(200)
    expect((await post(`/plans/${payer.plan}/cancel`, { reason: 'Not used' })).status).toBe(403)
    expect((await client.getPlan(payer.plan)).cancel_at).toBeUndefined()
    await allow({})
    for (const path of ['/invoices', '/cards', '/details', `/plans/${payer.plan}/pause`]) {
      const { status, html } = await get(path)
      expect([path, status]).toEqual([path, 403])
      expect(html).toContain('There is no such page')
    }
  })
})
