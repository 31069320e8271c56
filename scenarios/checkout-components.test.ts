import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startTwin, type TwinProcess } from '../twins/common/twin-process.ts'
import { newPayer, SCREENS, screenshot, seriousFaults } from './checkout-browser.ts'
import { CheckingClient } from './harness/checking-client.ts'
import { type Client, PAYMENTS } from './harness/client.ts'
import { createBusiness } from './harness/command-line.ts'
import { startScenario } from './harness/scenario.ts'
import { sharedBrowser } from './harness/shared-browser.ts'

const { service } = await startScenario({ env: { ALLOW_PRIVATE_WEBHOOKS: '1', LOG_LEVEL: 'trace' } })
const browser = await sharedBrowser()

const STRIPE_SCRIPT = await readFile(new URL('../twins/stripe/browser/stripe.js', import.meta.url), 'utf8')

interface Shop {
  readonly acquirer: 'stripe' | 'adyen'
  readonly client: Client
  readonly twin: TwinProcess
}

const CREDENTIALS = {
  stripe: {
    secret_key: 'sk_test_pages',
    publishable_key: 'pk_test_pages',
    webhook_secret: 'whsec_pages',
  },
  adyen: {
    api_key: 'AQE_pages',
    client_key: 'test_PAGES',
    merchant_account: 'PagesECOM',
    hmac_key: '0'.repeat(64),
  },
}

/** A business whose only account is at the acquirer's twin. */
async function openShop(
  acquirer: Shop['acquirer'],
  atEnd: (end: () => Promise<void>) => void = afterAll,
): Promise<Shop> {
  const twin = await startTwin(acquirer)
  atEnd(() => twin.stop())
  const sandbox = await createBusiness(service)
  const client = new CheckingClient({ ...sandbox, base_url: service.sandbox.base_url })
  await client.ok('POST', '/svc/account/api/v1/openapi/acquirer_accounts', {
    acquirer_account: { acquirer, name: acquirer, api_base: twin.url, credentials: CREDENTIALS[acquirer] },
  })
  return { acquirer, client, twin }
}

const shops = { stripe: await openShop('stripe'), adyen: await openShop('adyen') }

async function makeOrder(
  { client }: Shop,
  members: Record<string, unknown> = {},
): Promise<{ number: string; link: string }> {
  const { order, payment_link: link } = await client.ok('POST', `${PAYMENTS}/orders?with_payment_link=true`, {
    order: {
      reference_number: `order-${randomUUID()}`,
      currency: 'HKD',
      line_items: [
        { purchasable_type: 'Charge', price: 1250, quantity: 2, label: '青瓷茶壺 Celadon teapot' },
      ],
      ...members,
    },
  })
  return { number: order.number, link }
}

/** Serves the browser's requests to the acquirer's own hosts from the twin. */
async function openPage(
  { acquirer, twin }: Shop,
  link: string,
  screen: BrowserContextOptions = SCREENS.desktop,
) {
  const payer = await newPayer(browser, screen)
  if (acquirer === 'stripe') {
    const body = STRIPE_SCRIPT.replace(
      'new URL(document.currentScript.src).origin',
      "'https://api.stripe.com'",
    )
    await payer.context.route('https://js.stripe.com/**', (route) =>
      route.fulfill({ contentType: 'text/javascript', body }),
    )
    await payer.context.route('https://api.stripe.com/**', async (route) => {
      const request = route.request()
      const { pathname } = new URL(request.url())
      const response = await fetch(twin.url + pathname, {
        method: request.method(),
        headers: await request.allHeaders(),
        ...(request.method() === 'POST' && { body: request.postData() ?? '' }),
      })
      const text = await response.text()
      await route.fulfill({
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: text,
      })
    })
  }
  const sent: string[] = []
  payer.page.on('request', (request) => {
    if (request.url().startsWith(link)) sent.push(request.postData() ?? '')
  })
  await payer.page.goto(link)
  return { ...payer, sent }
}

async function typeCard(page: Page, number: string): Promise<void> {
  await page.getByLabel(/card number/i).fill(number)
  await page.getByLabel(/expir/i).fill('03/30')
  await page.getByLabel(/security code|CVC/i).fill('737')
  await page.getByLabel('Name on card').fill('CHAN TAI MAN')
}

function payButton(page: Page) {
  return page.getByRole('button', { name: /^Pay HK\$/ })
}

const CARDS = {
  stripe: { good: '4242424242424242', asksBank: '4000000000003220' },
  adyen: { good: '4111111111111111', asksBank: '4212345678901237' },
}

// Proves reference/pages#card-components.
test.each([
  ['stripe', 'desktop'],
  ['stripe', 'phone'],
  ['adyen', 'desktop'],
  ['adyen', 'phone'],
] as const)('a card is collected by the acquirer’s own component (%s, %s)', async (acquirer, screen) => {
  const shop = shops[acquirer]
  const { number, link } = await makeOrder(shop)
  const { page, context, pageErrors, sent } = await openPage(shop, link, SCREENS[screen])
  const fields = page.locator('[data-fields]')
  await fields.and(page.locator(':not([inert])')).waitFor()
  expect(await page.getByLabel('WalletB').count()).toBe(1)
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, `component-${acquirer}-${screen}-form`)

  await payButton(page).click()
  await page.getByText(acquirer === 'stripe' ? 'Enter the card number.' : 'Please correct').waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, `component-${acquirer}-${screen}-mistakes`)

  await typeCard(page, CARDS[acquirer].good)
  await screenshot(page, `component-${acquirer}-${screen}-filled`)
  await payButton(page).click()
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  await screenshot(page, `component-${acquirer}-${screen}-paid`)
  expect(sent.join()).not.toContain(`"number":"${CARDS[acquirer].good}`)
  expect(pageErrors).toEqual([])
  expect(await shop.client.checkOrder(number)).toMatchObject({ state: 'completed', paid_total: '2500.00' })
  await context.close()
})

test.each(['stripe', 'adyen'] as const)(
  'after a decline the payer enters another card on the same page (%s)',
  async (acquirer) => {
    const shop = shops[acquirer]
    const { number, link } = await makeOrder(shop)
    const { page, context, pageErrors } = await openPage(shop, link, SCREENS.phone)
    await typeCard(page, acquirer === 'stripe' ? '4000000000009995' : CARDS.adyen.good)
    if (acquirer === 'adyen') await page.getByLabel('Name on card').fill('NOT_ENOUGH_BALANCE')
    await payButton(page).click()
    await page.getByText('The payment was declined').waitFor()
    await screenshot(page, `component-${acquirer}-declined`)
    await typeCard(page, CARDS[acquirer].good)
    await payButton(page).click()
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    expect(pageErrors).toEqual([])
    const { transactions } = await shop.client.checkOrder(number)
    expect(transactions).toMatchObject([{ success: false }, { success: true }])
    await context.close()
  },
)

const BANKS = {
  stripe: {
    yes: 'Complete authentication',
    no: 'Fail authentication',
    member: 'payment_intent_client_secret',
  },
  adyen: { yes: 'Approve', no: 'Decline', member: 'redirectResult' },
}

// Proves reference/pages#returning-payers.
test.each([
  ['stripe', 'yes'],
  ['stripe', 'no'],
  ['adyen', 'yes'],
  ['adyen', 'no'],
] as const)(
  'a payer comes back from the bank to the result and a clean address (%s, %s)',
  async (acquirer, answer) => {
    const shop = shops[acquirer]
    const bank = BANKS[acquirer]
    const { number, link } = await makeOrder(shop)
    const { page, context, pageErrors } = await openPage(shop, link, SCREENS.phone)
    await typeCard(page, CARDS[acquirer].asksBank)
    await payButton(page).click()
    await page.getByRole('button', { name: bank.yes }).waitFor()
    const other = await context.newPage()
    await other.goto(link)
    await other.getByRole('link', { name: 'Continue to your bank' }).waitFor()
    await screenshot(other, `component-${acquirer}-bank`)
    await other.close()

    const returned = page.waitForRequest((request) => request.url().startsWith(`${link}?`))
    await page.getByRole('button', { name: bank[answer] }).click()
    expect((await returned).url()).toContain(bank.member)
    await page.waitForURL(`${link}?lang=en&back=1`)
    const shown = page.getByText(answer === 'yes' ? 'This order is paid in full.' : /Nothing was charged/)
    expect(await shown.count()).toBe(1)
    expect(await page.content()).not.toContain(bank.member)
    expect(service.output()).not.toContain(bank.member)
    expect(pageErrors.filter((error) => !error.includes('favicon'))).toEqual([])
    expect((await shop.client.checkOrder(number)).state).toBe(answer === 'yes' ? 'completed' : 'open')
    await context.close()
  },
)

test('only the page with the component has a wider policy, by the origins that the adapter declares', async () => {
  const { number, link } = await makeOrder(shops.stripe)
  const policyOf = async (url: string) =>
    Object.fromEntries(
      ((await fetch(url)).headers.get('content-security-policy') ?? '')
        .split('; ')
        .map((directive) => [directive.split(' ')[0] ?? '', directive.split(' ').slice(1)]),
    )
  const narrow = await policyOf(await simulatedLink())
  expect(narrow).toEqual({
    'default-src': ["'none'"],
    'style-src': ["'self'"],
    'script-src': ["'self'"],
    'connect-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
  })
  const stripe = ['https://js.stripe.com', 'https://*.js.stripe.com']
  expect(await policyOf(link)).toEqual({
    ...narrow,
    'script-src': ["'self'", ...stripe],
    'connect-src': ["'self'", 'https://api.stripe.com'],
    'frame-src': [...stripe, 'https://hooks.stripe.com'],
  })
  await shops.stripe.client.ok('POST', `${PAYMENTS}/orders/void`, { order: { number } })
  expect(await policyOf(link)).toEqual(narrow)
})

async function simulatedLink(): Promise<string> {
  const client = new CheckingClient(service.sandbox)
  return (await makeOrder({ ...shops.stripe, client })).link
}

test('forms that strangers make up move no money', async () => {
  const { client } = shops.stripe
  const { number, link } = await makeOrder(shops.stripe)
  const account = /name="account" value="(\w+)"/.exec(await (await fetch(link)).text())?.[1] ?? ''
  const send = async (form: Record<string, string>) => {
    const reply = await fetch(link, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({
        method: 'credit_card',
        account,
        component_data: 'pm_1Q0PsIJvEtkwdCNY',
        ...form,
      }),
    })
    return { status: reply.status, ...((await reply.json()) as { problems?: object }) }
  }
  const [otherAccount = ''] = await accountsOf(shops.adyen)
  const raw = { number: '4242424242424242', expiry: '12/49', cvc: '123', name: 'CHAN TAI MAN' }
  for (const [form, member] of [
    [{ account: otherAccount }, 'account'],
    [{ account: 'simulator' }, 'account'],
    [{ account: '', component_data: '', ...raw }, 'account'],
    [{ component_data: '' }, 'component'],
    [{ component_data: 'pm_card_visa&amount=1' }, 'component'],
    [{ component_data: '{"type":"scheme"}' }, 'component'],
    [{ component_data: `pm_${'a'.repeat(300)}` }, 'component'],
    [{ name: '4242424242424242' }, 'name'],
    [{ method: 'payment_token' }, 'method'],
  ] as const) {
    const reply = await send(form)
    expect([form, reply.status, Object.keys(reply.problems ?? {})]).toEqual([form, 422, [member]])
  }
  expect((await fetch(link, { method: 'POST', body: 'a'.repeat(17_000) })).status).toBe(413)
  expect((await client.checkOrder(number)).transactions).toEqual([])
})

async function accountsOf({ client }: Shop): Promise<string[]> {
  const { acquirer_accounts: accounts } = await client.ok(
    'GET',
    '/svc/account/api/v1/openapi/acquirer_accounts',
  )
  return accounts.map(({ id }: { id: string }) => id)
}

test('without a script a sentence says what is needed', async () => {
  const { link } = await makeOrder(shops.stripe)
  const { page, context } = await newPayer(browser, {
    ...SCREENS.phone,
    javaScriptEnabled: false,
    locale: 'zh-HK',
  })
  await page.goto(link)
  // Text selectors skip noscript elements.
  expect(await page.content()).toMatch(/<noscript><p class="problem">如要以卡付款，請在瀏覽器啟用 JavaScript/)
  await screenshot(page, 'component-no-script')
  await page.getByRole('button', { name: /^支付/ }).click()
  await page.getByText('未收到卡資料，並未扣款。').waitFor()
  await context.close()
})

test('a page whose component cannot be loaded says so', async () => {
  const { link } = await makeOrder(shops.stripe)
  const { page, context } = await newPayer(browser, SCREENS.phone)
  await context.route('https://js.stripe.com/**', (route) => route.abort())
  await page.goto(link)
  await page.getByText('The card form could not be loaded.').waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'component-not-loaded')
  await context.close()
})

test('a payer whose page has the component of a former account gets the new one', async () => {
  const shop = await openShop('stripe', onTestFinished)
  const [former = ''] = await accountsOf(shop)
  const { number, link } = await makeOrder(shop)
  const { page, context } = await openPage(shop, link)
  await typeCard(page, CARDS.stripe.good)
  await shop.client.ok('POST', '/svc/account/api/v1/openapi/acquirer_accounts', {
    acquirer_account: {
      acquirer: 'stripe',
      name: 'second',
      api_base: shop.twin.url,
      credentials: { ...CREDENTIALS.stripe, secret_key: 'sk_test_second', publishable_key: 'pk_test_second' },
    },
  })
  await shop.client.ok('DELETE', `/svc/account/api/v1/openapi/acquirer_accounts/${former}`)
  await payButton(page).click()
  await page.getByText('The card form was renewed.').waitFor()
  await screenshot(page, 'component-renewed')
  await typeCard(page, CARDS.stripe.good)
  await payButton(page).click()
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  expect((await shop.client.checkOrder(number)).transactions).toMatchObject([{ success: true }])
  await context.close()
})

test('a stored card is confirmed with the bank, and later a charge of its plan that the bank asks about', async () => {
  const shop = shops.stripe
  const { client, twin } = shop
  const made = await fetch(`${twin.url}/v1/payment_methods`, {
    method: 'POST',
    headers: { authorization: `Bearer ${CREDENTIALS.stripe.publishable_key}` },
    body: new URLSearchParams({
      type: 'card',
      'card[number]': '4000002760003184',
      'card[exp_month]': '3',
      'card[exp_year]': '2049',
      'card[cvc]': '123',
    }),
  })
  const { id } = (await made.json()) as { id: string }
  const [account = ''] = await accountsOf(shop)
  const customer = await client.createCustomer()
  const { payment_token: token } = await client.ok(
    'POST',
    `${PAYMENTS}/customers/${customer.uuid}/payment_tokens`,
    {
      payment_token: {
        token_type: 'CreditCard',
        acquirer_token: { acquirer_account_id: account, id },
        default: true,
      },
    },
  )
  expect(token).toMatchObject({ state: 'pending' })
  const { page, context } = await openPage(shop, token.verify_url)
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.getByRole('button', { name: BANKS.stripe.yes }).click()
  await page.waitForURL(`${token.verify_url}?lang=en`)
  await page.getByRole('heading', { name: 'Confirmed' }).waitFor()
  await screenshot(page, 'component-verified')

  const item = await client.createItem(50)
  const plan = await client.createPlan({
    customer_uuid: customer.uuid,
    recurring_cycles: [
      {
        billing_count: null,
        recurring_billing_config: 'FREQ=MONTHLY',
        recurring_items: [{ quantity: 1, recurring_item_id: item }],
      },
    ],
  })
  await client.advanceBy('PT1M')
  const { current_order: order, current_payment_link: link } = await client.getPlan(plan.id)
  await page.goto(link)
  await screenshot(page, 'component-recurring-bank')
  await page.getByRole('link', { name: 'Continue to your bank' }).click()
  await page.getByRole('button', { name: BANKS.stripe.yes }).click()
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  expect(new URL(page.url()).search).toBe('?lang=en')
  expect((await client.checkOrder(order.order_number)).state).toBe('completed')
  await context.close()
})

test.each(['stripe', 'adyen'] as const)(
  'a card that the payer saves while paying can be charged later without the payer (%s)',
  async (acquirer) => {
    const shop = shops[acquirer]
    const { client } = shop
    const customer = await client.createCustomer()
    const { link } = await makeOrder(shop, { customer_uuid: customer.uuid })
    const { page } = await openPage(shop, link)
    await page.locator('[data-fields]').and(page.locator(':not([inert])')).waitFor()
    await typeCard(page, CARDS[acquirer].good)
    await page.getByRole('checkbox').check()
    await payButton(page).click()
    await page.getByRole('heading', { name: /paid|thank/i }).waitFor()
    const path = `${PAYMENTS}/customers/${customer.uuid}/payment_tokens`
    const { payment_tokens: tokens } = await client.ok('GET', path)
    expect(tokens).toMatchObject([
      { state: 'active', default: true, credit_card: { number: expect.stringMatching(/(4242|1111)$/) } },
    ])
    const order = await client.createOrder({ customer_uuid: customer.uuid })
    await client.ok('POST', `${PAYMENTS}/orders/pay`, {
      order: { number: order.number },
      transaction: { type: 'Sales', payment_token: tokens[0].token },
    })
    expect(
      (await client.ok('POST', `${PAYMENTS}/orders/check`, { order: { number: order.number } })).order,
    ).toMatchObject({
      state: 'completed',
    })
  },
)
