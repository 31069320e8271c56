import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { decompress } from '#platform/compression/compression'
import { IPHONE, newPayer, readCode, SCREENS, screenshot, seriousFaults } from './checkout-browser.ts'
import { PAYMENTS } from './harness/client.ts'
import { startScenario } from './harness/scenario.ts'
import { AIRWALLEX, askAirwallex } from './harness/twin-of-airwallex.ts'
import { newMerchant, startBank } from './harness/twins.ts'
import { sharedBrowser } from './harness/shared-browser.ts'

const { service, databaseUrl } = await startScenario({
  env: { ALLOW_PRIVATE_WEBHOOKS: '1', LOG_LEVEL: 'trace' },
})
const browser = await sharedBrowser()
const admin = new pg.Client({ connectionString: databaseUrl })
await admin.connect()
afterAll(() => admin.end())

// Airwallex's component cannot be loaded here: the twin serves a script of its own with the same functions.
const bank = await startBank(AIRWALLEX)
const client = await newMerchant(service)
const account = await bank.connect(client, {
  methods: ['credit_card', 'wallet_a_pay', 'wallet_b', 'fps'],
  raw_card_numbers: false,
})

async function makeOrder(members: Record<string, unknown> = {}): Promise<{ number: string; link: string }> {
  const { order, payment_link: link } = await client.ok('POST', `${PAYMENTS}/orders?with_payment_link=true`, {
    order: { reference_number: randomUUID(), currency: 'HKD', initial_total: 100, ...members },
  })
  return { number: order.number, link }
}

const SOON = { timeout: 60_000, interval: 200 }
const lastOf = async (number: string) => (await client.checkOrder(number)).transactions.at(-1)
const send = (page: Page) => page.locator('button[type=submit]').last().click()

const atAirwallex = (path: string, body?: object) =>
  askAirwallex(bank.twin.url, account.credentials, path, body)

/** The payer in the app, whose phone has read the code. */
async function inApp(code: string, action: 'pay' | 'reject'): Promise<void> {
  const acted = await atAirwallex(`/simulation/pa/shopper_actions/${action}`, { url: code })
  expect(acted.status).toBe(200)
}

const WORDS = {
  'en-US': { wechat: 'WeChat Pay', fps: 'FPS', confirm: 'Confirm in', pay: 'Pay by FPS', open: 'Open' },
  'zh-HK': { wechat: '微信支付', fps: '轉數快', confirm: '請於', pay: '以轉數快付款', open: '開啟' },
  'zh-CN': { wechat: '微信支付', fps: '转数快', confirm: '请在', pay: '用转数快付款', open: '打开' },
} as const

// Proves reference/payments#wallets, reference/pages#payment-page, reference/acquirers#airwallex.
test.each(['en-US', 'zh-HK', 'zh-CN'] as const)(
  'on a desktop the codes of Airwallex are read back, refused, expired and paid (%s)',
  async (locale) => {
    const words = WORDS[locale]
    const { number, link } = await makeOrder()
    const { page, context, pageErrors } = await newPayer(browser, { ...SCREENS.desktop, locale })
    await page.goto(link)
    expect(await page.getByLabel('AlipayHK').count()).toBe(1)
    await screenshot(page, `airwallex-methods-${locale}`)
    const codes: string[] = []
    for (const [method, title] of [
      [words.wechat, words.confirm],
      ['AlipayHK', words.confirm],
      [words.fps, words.pay],
    ] as const) {
      await page.getByLabel(method).check()
      await send(page)
      await page.getByRole('heading', { name: title }).waitFor()
      const code = await readCode(page)
      const asked = await lastOf(number)
      expect(code).toBe(asked.next_action.qr_code)
      expect(code).toContain(asked.payment_data.new_gateway_txn_id)
      const origins = `[...document.images].map((image) => new URL(image.src).origin)`
      expect(new Set(await page.evaluate<string[]>(origins))).toEqual(new Set([new URL(link).origin]))
      expect(await seriousFaults(page)).toEqual([])
      await screenshot(page, `airwallex-code-${codes.length}-${locale}`)
      codes.push(code)
      if (method === words.wechat) await inApp(code, 'reject')
      else if (method === 'AlipayHK') await bank.twin.advanceClock(601)
      else await inApp(code, 'pay')
      if (method !== words.fps) await page.getByLabel(words.fps).waitFor()
    }
    await page.locator('h2.good').waitFor()
    await screenshot(page, `airwallex-paid-${locale}`)
    const { transactions, paid_total: paid } = await client.checkOrder(number)
    const shown = transactions.map(({ payment_data: data }: { payment_data: Record<string, string> }) => [
      data['transaction_state'],
      data['resp_code'],
    ])
    expect([paid, ...shown.slice(0, 2)]).toEqual([
      '100.00',
      ['failed', 'payer_declined'],
      ['failed', 'expired'],
    ])
    expect(new Set(codes).size).toBe(3)
    expect(pageErrors).toEqual([])
    await context.close()
  },
)

test.each(['en-US', 'zh-HK'] as const)(
  'a phone opens the app of the wallet, and comes back (%s)',
  async (locale) => {
    const { number, link } = await makeOrder()
    const { page, context } = await newPayer(browser, { ...SCREENS.phone, locale, userAgent: IPHONE })
    await page.goto(link)
    await page.getByLabel('AlipayHK').check()
    await send(page)
    const open = page.getByRole('link', { name: `${WORDS[locale].open} AlipayHK` })
    await open.waitFor()
    expect(await page.locator('.qr img').count()).toBe(0)
    expect(await seriousFaults(page)).toEqual([])
    await screenshot(page, `airwallex-phone-${locale}`)
    await page.goto((await open.getAttribute('href')) ?? '')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.locator('h2.good').waitFor()
    expect(new URL(page.url()).origin).toBe(new URL(link).origin)
    expect(await client.checkOrder(number)).toMatchObject({ state: 'completed', paid_total: '100.00' })
    await context.close()
  },
)

test.each(['desktop', 'phone'] as const)(
  'an agreement is confirmed on the page that verify_url names (%s)',
  async (screen) => {
    const { uuid } = await client.createCustomer()
    const token = await client.bind(uuid, {
      token_type: 'WalletAPayAutoDebit',
      acquirer_account_id: account.id,
    })
    const { page, context } = await newPayer(browser, {
      ...SCREENS[screen],
      ...(screen === 'phone' && { userAgent: IPHONE }),
    })
    await page.goto(token.verify_url)
    await page.getByText('WeChat Pay').first().waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await screenshot(page, `airwallex-agreement-${screen}`)
    if (screen === 'desktop') await inApp(await readCode(page), 'pay')
    else {
      const link = page.locator(`a[href^="${bank.twin.url}"]`)
      await page.goto((await link.getAttribute('href')) ?? '')
      await page.getByRole('button', { name: 'Confirm' }).click()
    }
    await page
      .locator('h2.good')
      .or(page.getByRole('heading', { name: 'Confirmed' }))
      .first()
      .waitFor()
    const path = `${PAYMENTS}/customers/${uuid}/payment_tokens`
    const tokens = async () => (await client.ok('GET', path)).payment_tokens
    await expect.poll(tokens).toMatchObject([{ state: 'active', wallet: { name: 'wechat_pay' } }])
    await context.close()
  },
)

async function openComponent(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.locator('input[value=credit_card]').check()
  await send(page)
  await page.locator('[data-fields]').and(page.locator(':not([inert])')).waitFor()
}

async function payInComponent(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('MM/YY').fill('12/49')
  await page.getByLabel('CVC').fill('123')
  await page.locator('#component').getByRole('button', { name: 'Pay', exact: true }).click()
}

// Proves reference/pages#card-components.
test.each(['desktop', 'phone'] as const)(
  'a card is paid with the component on our page (%s)',
  async (screen) => {
    const { number, link } = await makeOrder()
    const { page, context, pageErrors } = await newPayer(browser, SCREENS[screen])
    const posted: string[] = []
    page.on('request', (request) => {
      if (request.url().startsWith(link)) posted.push(request.postData() ?? '')
    })
    await openComponent(page, link)
    // The component offers these only where it is given the country of the business.
    expect(await page.locator('#component button').allTextContents()).toEqual([
      'Pay',
      'applepay',
      'googlepay',
    ])
    await screenshot(page, `airwallex-component-${screen}`)
    expect(await seriousFaults(page)).toEqual([])
    await payInComponent(page, '4035501000000008')
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    expect(posted.join()).not.toContain('4035501000000008')
    expect(await client.checkOrder(number)).toMatchObject({ state: 'completed', paid_total: '100.00' })
    const { uuid, payment_data: data } = await lastOf(number)
    expect(data.new_gateway_txn_id).toMatch(/^int_/)
    expect(await bank.moved(uuid, 'sale')).toEqual(['100.00'])
    expect(pageErrors).toEqual([])
    await context.close()
  },
)

const tokensOf = async (uuid: string) =>
  (await client.ok('GET', `${PAYMENTS}/customers/${uuid}/payment_tokens`)).payment_tokens

/** The payer ticks the box, and pays with the component on the page. */
async function payAndKeep(page: Page, link: string, number: string): Promise<void> {
  await page.goto(link)
  await page.locator('input[value=credit_card]').check()
  await page.getByLabel(/Save this card/).check()
  // It is kept even if the bank asks the payer.
  expect(await page.locator('#save-hint').textContent()).not.toContain('if your bank asks')
  await send(page)
  await page.locator('[data-fields]').and(page.locator(':not([inert])')).waitFor()
  // Another way to pay would leave no card to keep.
  expect(await page.locator('#component button').allTextContents()).toEqual(['Pay'])
  await payInComponent(page, number)
}

const statusOf = async (consent: string) => {
  const read = await atAirwallex(`/pa/payment_consents/${consent}`)
  return ((await read.json()) as { status: string }).status
}

async function consentsOf(uuid: string): Promise<string[]> {
  const customers = await atAirwallex(`/pa/customers?merchant_customer_id=${uuid}`)
  const [payer] = ((await customers.json()) as { items: { id: string }[] }).items
  if (payer === undefined) return []
  const consents = await atAirwallex(`/pa/payment_consents?customer_id=${payer.id}`)
  return ((await consents.json()) as { items: { id: string }[] }).items.map(({ id }) => id)
}

const KEPT = [
  {
    state: 'active',
    default: true,
    credit_card: { number: expect.stringMatching(/\d{4}$/), exp_year: '2049' },
  },
]

// Proves reference/pages#card-components, reference/customers#agreements.
test.each([
  [
    'deleted',
    async (uuid: string, token: string) => {
      await client.ok('DELETE', `${PAYMENTS}/customers/${uuid}/payment_tokens/${token}`)
    },
  ],
  [
    'erased with its customer',
    async (uuid: string) => {
      await client.ok('POST', `/svc/privacy/api/v1/openapi/customers/${uuid}/erasures`)
    },
  ],
])(
  'a card of the component is kept, charged without its payer, and its consent ends once it is %s',
  async (_how, end) => {
    const { uuid } = await client.createCustomer()
    const { number, link } = await makeOrder({ customer_uuid: uuid })
    const { page, context, pageErrors } = await newPayer(browser, SCREENS.desktop)
    await payAndKeep(page, link, '4035501000000008')
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    await expect.poll(() => tokensOf(uuid)).toMatchObject(KEPT)
    const [{ token }] = await tokensOf(uuid)
    const { order } = await client.ok('POST', `${PAYMENTS}/orders`, {
      order: { reference_number: randomUUID(), currency: 'HKD', initial_total: 20, customer_uuid: uuid },
    })
    await client.ok('POST', `${PAYMENTS}/orders/pay`, {
      order: { number: order.number },
      transaction: { type: 'Sales', payment_token: token },
    })
    expect(await bank.moved((await lastOf(order.number)).uuid, 'sale')).toEqual(['20.00'])
    expect(await bank.moved((await lastOf(number)).uuid, 'sale')).toEqual(['100.00'])
    const [consent = '', ...others] = await consentsOf(uuid)
    expect(others).toEqual([])
    expect(await statusOf(consent)).toBe('VERIFIED')
    await end(uuid, token)
    await expect.poll(() => statusOf(consent)).toBe('DISABLED')
    expect(pageErrors).toEqual([])
    await context.close()
  },
)

test.each([
  [
    'the payer closes the page at once',
    '4035501000000008',
    async (page: Page) => {
      await page.waitForResponse((response) => response.url().endsWith('/confirm'))
      await page.close()
    },
    true,
  ],
  [
    'the bank asks, and the payer confirms',
    '4012000300000088',
    async (page: Page) => {
      await page.getByRole('button', { name: 'Confirm' }).click()
    },
    true,
  ],
  [
    'the bank asks, and the payer declines',
    '4012000300000088',
    async (page: Page) => {
      await page.getByRole('button', { name: 'Decline' }).click()
    },
    false,
  ],
  ['the card is declined', '4000000000009995', async () => {}, false],
])('a card of the component is kept once its payment is approved: %s', async (_case, card, act, isKept) => {
  const { uuid } = await client.createCustomer()
  const { number, link } = await makeOrder({ customer_uuid: uuid })
  const { page, context } = await newPayer(browser, SCREENS.phone)
  const acted = act(page)
  await payAndKeep(page, link, card)
  await acted
  await expect
    .poll(
      async () => (await client.checkOrder(number)).transactions.at(-1).payment_data.transaction_state,
      SOON,
    )
    .toBe(isKept ? 'succeeded' : 'failed')
  if (isKept) await expect.poll(() => tokensOf(uuid)).toMatchObject(KEPT)
  else {
    expect(await tokensOf(uuid)).toEqual([])
    expect(await consentsOf(uuid)).toEqual([])
  }
  await context.close()
})

test('a card that the payer does not ask to keep leaves no customer and no consent at Airwallex', async () => {
  const { uuid } = await client.createCustomer()
  const { number, link } = await makeOrder({ customer_uuid: uuid })
  const { page, context } = await newPayer(browser, SCREENS.desktop)
  await openComponent(page, link)
  await payInComponent(page, '4035501000000008')
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  expect(await client.checkOrder(number)).toMatchObject({ state: 'completed' })
  expect([await tokensOf(uuid), await consentsOf(uuid)]).toEqual([[], []])
  await context.close()
})

test('a consent that the browser made for payments by the payer is no token, and the payment stands', async () => {
  const { uuid } = await client.createCustomer()
  const { number, link } = await makeOrder({ customer_uuid: uuid })
  const { page, context } = await newPayer(browser, SCREENS.desktop)
  await page.route('**/confirm', async (route) => {
    const body = JSON.parse(route.request().postData() ?? '{}') as { payment_consent: object }
    const changed = { ...body, payment_consent: { ...body.payment_consent, next_triggered_by: 'customer' } }
    await route.continue({ postData: JSON.stringify(changed) })
  })
  await payAndKeep(page, link, '4035501000000008')
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  await expect
    .poll(() => tokensOf(uuid))
    .toMatchObject([{ state: 'failed', error_code: 'payment_consent_not_for_merchant' }])
  expect(await client.checkOrder(number)).toMatchObject({ state: 'completed', paid_total: '100.00' })
  await context.close()
})

test('a card that is kept with the order of a late plan becomes the default', async () => {
  const { customer } = await bank.bind(client, account, 'soft_decline')
  const { uuid } = customer
  const plan = await client.createPlan({
    customer_uuid: uuid,
    recurring_cycles: [
      {
        billing_count: null,
        recurring_billing_config: 'FREQ=MONTHLY',
        recurring_items: [{ recurring_item_id: await client.createItem(80), quantity: 1 }],
      },
    ],
  })
  await expect.poll(async () => (await client.getPlan(plan.id)).state, SOON).toBe('past_due')
  const { page, context } = await newPayer(browser, SCREENS.desktop)
  await payAndKeep(page, (await client.getPlan(plan.id)).current_payment_link, '4035501000000008')
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  await expect
    .poll(async () => (await tokensOf(uuid)).find((one: { default: boolean }) => one.default))
    .toMatchObject({
      credit_card: { number: expect.stringMatching(/0008$/) },
    })
  await context.close()
})

test('after a decline in the component the payer pays with another card on the same page', async () => {
  const { number, link } = await makeOrder()
  const { page, context } = await newPayer(browser, SCREENS.phone)
  await openComponent(page, link)
  await payInComponent(page, '4000000000009995')
  await page.getByText('The payment was declined').waitFor()
  await screenshot(page, 'airwallex-component-declined')
  await page.locator('input[value=credit_card]').check()
  await send(page)
  await page.locator('[data-fields]').and(page.locator(':not([inert])')).waitFor()
  await payInComponent(page, '4035501000000008')
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  const { transactions } = await client.checkOrder(number)
  expect(transactions).toMatchObject([{ success: false }, { success: true }])
  await context.close()
})

test.each([
  ['Confirm', 'completed'],
  ['Decline', 'open'],
])('the bank of a card in the component asks the payer, who answers %s', async (answer, state) => {
  const { number, link } = await makeOrder()
  const { page, context } = await newPayer(browser, SCREENS.phone)
  await openComponent(page, link)
  await payInComponent(page, '4012000300000088')
  await page.getByRole('button', { name: answer }).click()
  await page.waitForURL(`${link}?**`)
  await expect.poll(async () => (await client.checkOrder(number)).state).toBe(state)
  await context.close()
})

test('only the page that shows the component lets in its origins, and has the client secret, which is kept nowhere', async () => {
  const { number, link } = await makeOrder()
  const policyOf = async () => (await fetch(link)).headers.get('content-security-policy') ?? ''
  expect(await policyOf()).not.toContain(bank.twin.url)
  const { page, context } = await newPayer(browser, SCREENS.desktop)
  await openComponent(page, link)
  expect(await policyOf()).toContain(bank.twin.url)
  const secret = /eyJ\w+\.\w{24}\.\w{24}/.exec(await page.content())?.[0] ?? ''
  expect(secret).not.toBe('')
  await payInComponent(page, '4035501000000008')
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  expect(await policyOf()).not.toContain(bank.twin.url)
  expect(await page.content()).not.toContain(secret)
  expect(JSON.stringify(await client.checkOrder(number))).not.toContain(secret)
  expect(service.output()).not.toContain(secret)
  expect(await rowsWith(secret)).toEqual([])
  await context.close()
})

/** The tables in which any column of any row has the text. */
async function rowsWith(text: string): Promise<string[]> {
  const tables = await admin.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const found: string[] = []
  for (const { name } of tables.rows) {
    const { rowCount } = await admin.query(`select from "${name}" t where t::text like $1 limit 1`, [
      `%${text}%`,
    ])
    if ((rowCount ?? 0) > 0) found.push(name)
  }
  const { rows } = await admin.query<{ bodies: Buffer }>(
    'select bodies from request_log where bodies is not null',
  )
  if (rows.some(({ bodies }) => decompress(bodies).toString().includes(text)))
    found.push('request_log.bodies')
  return found
}

test('keys and secrets of the account reach no log, reply, audit entry or event', async () => {
  const { api_key: key = '', webhook_secret: secret = '' } = account.credentials
  await client.call('POST', '/svc/account/api/v1/openapi/acquirer_accounts', {
    acquirer_account: {
      acquirer: 'airwallex',
      name: 'refused',
      credentials: { ...account.credentials, api_key: `refused_${key}` },
      api_base: bank.twin.url,
    },
  })
  for (const hidden of [key, secret, 'Bearer ey']) {
    expect(service.output()).not.toContain(hidden)
    expect(await rowsWith(hidden)).toEqual([])
  }
})
