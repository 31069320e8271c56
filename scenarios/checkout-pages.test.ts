import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { startHttpServer } from '#platform/testing/http-server'
import { newPayer, SCREENS, screenshot, seriousFaults } from './checkout-browser.ts'
import { PAYMENTS } from './harness/client.ts'
import { startScenario } from './harness/scenario.ts'
import { sharedBrowser } from './harness/shared-browser.ts'

const { client, databaseUrl } = await startScenario()
const browser = await sharedBrowser()
/** The merchant's site that payers return to. */
const shopUrl = await startHttpServer((_request, response) =>
  response.end('<title>The shop</title><h1>The shop</h1>'),
)
const shop = `${shopUrl}/done?cart=7`

async function makeOrder(members: Record<string, unknown> = {}): Promise<{ number: string; link: string }> {
  const { order, payment_link: link } = await client.ok('POST', `${PAYMENTS}/orders?with_payment_link=true`, {
    order: {
      reference_number: `order-${randomUUID()}`,
      currency: 'HKD',
      line_items: [
        { purchasable_type: 'Charge', price: 1250, quantity: 2, label: '青瓷茶壺 Celadon teapot' },
        { purchasable_type: 'Charge', price: -100, quantity: 1, label: 'Discount' },
      ],
      return_url: shop,
      ...members,
    },
  })
  return { number: order.number, link }
}

async function typeCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry date').fill('12 / 49')
  await page.getByLabel('Security code').fill('123')
  await page.getByLabel('Name on card').fill('CHAN TAI MAN')
}

function payButton(page: Page) {
  return page.getByRole('button', { name: /^Pay HK\$/ })
}

async function resultAtShop(page: Page): Promise<Record<string, string>> {
  await page.waitForURL(`${new URL(shop).origin}/**`)
  return Object.fromEntries(new URL(page.url()).searchParams)
}

// Proves reference/pages#payment-page, reference/pages#verification-page, reference/pages#languages.
test.each(Object.entries(SCREENS))(
  'a payer corrects a mistake, is declined, pays with another card and returns to the shop (%s)',
  async (name, screen) => {
    const { number, link } = await makeOrder()
    const { page, context, pageErrors } = await newPayer(browser, screen)
    await page.goto(link)
    await page.getByText('青瓷茶壺 Celadon teapot').waitFor()
    expect(await page.locator('tfoot').innerText()).toContain('HK$2,400.00')
    expect(await seriousFaults(page)).toEqual([])
    await screenshot(page, `${name}-form`)

    await payButton(page).click()
    await page.getByText('Enter the card number.').waitFor()
    const first = page.getByLabel('Card number')
    expect(await first.getAttribute('aria-invalid')).toBe('true')
    expect(await page.evaluate('document.activeElement.id')).toBe('number')
    expect(await seriousFaults(page)).toEqual([])
    await screenshot(page, `${name}-mistakes`)

    await typeCard(page, '4000000000009995')
    await payButton(page).click()
    await page.getByText('The card has insufficient funds.').waitFor()
    expect(await page.content()).not.toContain('4000000000009995')
    expect(await first.inputValue()).toBe('')
    expect(await seriousFaults(page)).toEqual([])
    await screenshot(page, `${name}-declined`)

    await typeCard(page, '5555555555554444')
    await payButton(page).click()
    expect(await resultAtShop(page)).toMatchObject({ cart: '7', order_number: number, result: 'paid' })
    await page.goto(link)
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await screenshot(page, `${name}-paid`)
    expect(pageErrors.filter((pageError) => !pageError.includes('422'))).toEqual([])
    expect(await context.storageState()).toEqual({ cookies: [], origins: [] })
    await context.close()
  },
)

test('a payer can pay with the keyboard alone', async () => {
  const { link, number } = await makeOrder()
  const { page, context } = await newPayer(browser)
  await page.goto(link)
  await page.getByLabel('Card', { exact: true }).focus()
  await page.keyboard.press('Tab')
  for (const text of ['4242424242424242', '1249', '123', 'CHAN TAI MAN']) {
    await page.keyboard.type(text)
    if (text === '4242424242424242') {
      expect(await page.getByLabel('Card number').inputValue()).toBe('4242 4242 4242 4242')
    }
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  expect(await resultAtShop(page)).toMatchObject({ order_number: number, result: 'paid' })
  await context.close()
})

test('full-width digits of a Chinese keyboard pay', async () => {
  const { link } = await makeOrder()
  const { page, context } = await newPayer(browser)
  await page.goto(link)
  await typeCard(page, '４２４２４２４２４２４２４２４２')
  expect(await page.getByLabel('Card number').inputValue()).toBe('4242 4242 4242 4242')
  await page.getByLabel('Expiry date').fill('')
  await page.getByLabel('Expiry date').pressSequentially('１２４９')
  expect(await page.getByLabel('Expiry date').inputValue()).toBe('12 / 49')
  await payButton(page).click()
  expect(await resultAtShop(page)).toMatchObject({ result: 'paid' })
  await context.close()
})

test('on the narrowest phone amounts of twelve digits fit, and their labels stay whole', async () => {
  const label = 'Consulting'
  const { link } = await makeOrder({
    line_items: [{ purchasable_type: 'Charge', price: 123456789012.34, quantity: 3, label }],
  })
  const { page, context } = await newPayer(browser, { viewport: { width: 320, height: 640 }, isMobile: true })
  await page.goto(link)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  const row = page.getByRole('row', {
    name: `${label} 3 × HK$123,456,789,012.34 HK$370,370,367,037.02`,
  })
  expect(await row.getByRole('cell').count()).toBe(1)
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'twelve-digits')
  await context.close()
})

test('a partly refunded order shows the refund and takes no payment', async () => {
  const customer = await client.createCustomer()
  const { token } = await client.bindCard(customer.uuid, '4242424242424242')
  const { link, number } = await makeOrder({ customer_uuid: customer.uuid })
  const { data } = await client.pay(number, token)
  await client.ok('POST', `${PAYMENTS}/transactions/refund`, {
    transaction: { uuid: data.transaction.uuid },
    amount: 100,
  })
  const { page, context } = await newPayer(browser)
  await page.goto(link)
  await page.getByText('This order was paid, and HK$100.00 was refunded.').waitFor()
  const sums = await page.locator('tfoot').innerText()
  expect(sums).toMatch(/Already paid\s+HK\$2,400\.00\s+Refunded\s+-HK\$100\.00$/)
  await context.close()
})

test.each(['04/49', '4/49', '0449', '449', '04 49', '04-2049'])(
  'an expiry date can be typed in every common spelling: %s',
  async (typed) => {
    const { link } = await makeOrder()
    const { page, context } = await newPayer(browser)
    await page.goto(link)
    await typeCard(page, '4242424242424242')
    const expiry = page.getByLabel('Expiry date')
    await expiry.fill('')
    await expiry.pressSequentially(typed)
    expect(await expiry.inputValue()).toBe(typed.length > 5 ? '04 / 2049' : '04 / 49')
    await payButton(page).click()
    expect(await resultAtShop(page)).toMatchObject({ result: 'paid' })
    await context.close()
  },
)

test('with a script the summary changes together with the result', async () => {
  const customer = await client.createCustomer()
  const { token } = await client.bindCard(customer.uuid, '4242424242424242')
  const { link, number } = await makeOrder({ customer_uuid: customer.uuid, return_url: undefined })
  await client.pay(number, token, { amount: 2000 })
  const { page, context } = await newPayer(browser)
  await page.goto(link)
  const summary = page.locator('.summary')
  const code = summary.getByRole('img', { name: 'QR code' })
  expect(await summary.innerText()).toContain('Left to pay')
  expect(await code.isVisible()).toBe(true)
  await page.getByLabel('WalletB').check()
  await payButton(page).click()
  await page.getByRole('link', { name: 'Open WalletB' }).waitFor()
  expect(await code.count()).toBe(0)
  await page.getByRole('button', { name: 'Pay in another way' }).click()
  await typeCard(page, '4242424242424242')
  expect(await code.isVisible()).toBe(true)
  await payButton(page).click()
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  expect(await summary.innerText()).not.toContain('Left to pay')
  expect(await code.count()).toBe(0)
  await screenshot(page, 'paid-in-two')
  await context.close()
})

test.each([
  ['Confirm', 'paid'],
  ['Decline', 'failed'],
])('3-D Secure decides the payment (%s)', async (answer, result) => {
  const { link } = await makeOrder()
  const { page, context } = await newPayer(browser)
  await page.goto(link)
  await typeCard(page, '4000002500003155')
  await payButton(page).click()
  await page.getByRole('button', { name: answer }).waitFor()
  const other = await context.newPage()
  await other.goto(link)
  await other.getByRole('link', { name: 'Continue to your bank' }).waitFor()
  expect(await seriousFaults(other)).toEqual([])
  await screenshot(other, 'bank')
  await page.getByRole('button', { name: answer }).click()
  if (result === 'failed') {
    await page.getByText('could not confirm that it is you').waitFor()
    await page.getByRole('link', { name: /Cancel and return/ }).click()
  }
  expect(await resultAtShop(page)).toMatchObject({ result })
  await context.close()
})

test('a wallet payment confirmed on another device shows its result without a reload', async () => {
  for (const wallet of ['WalletA Pay', 'WalletB']) {
    const { link, number } = await makeOrder({ return_url: undefined })
    const { page, context } = await newPayer(browser, SCREENS.phone)
    await page.goto(link)
    await page.getByLabel(wallet).check()
    expect(await page.getByLabel('Card number').isVisible()).toBe(false)
    await payButton(page).click()
    const open = page.getByRole('link', { name: `Open ${wallet}` })
    await open.waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await screenshot(page, 'wallet')
    const device = await newPayer(browser)
    await device.page.goto((await open.getAttribute('href')) ?? '')
    await device.page.getByRole('button', { name: 'Confirm' }).click()
    const loads: string[] = []
    page.on('framenavigated', (frame) => loads.push(frame.url()))
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    expect(loads).toEqual([])
    const [transaction] = (await client.checkOrder(number)).transactions
    expect(transaction.payment_method).toBe(wallet === 'WalletB' ? 'wallet_b' : 'wallet_a_pay')
    await Promise.all([context.close(), device.context.close()])
  }
})

test('a payer can pay without a script', async () => {
  const { link } = await makeOrder()
  const { page, context } = await newPayer(browser, { ...SCREENS.desktop, javaScriptEnabled: false })
  await page.goto(link)
  await payButton(page).click()
  await page.getByText('Enter the card number.').waitFor()
  await typeCard(page, '4242424242424242')
  await payButton(page).click()
  expect(await resultAtShop(page)).toMatchObject({ result: 'paid' })
  await context.close()
})

test('a page has the browser’s language, or the one that the payer chooses', async () => {
  const { link } = await makeOrder()
  for (const [locale, language, said] of [
    ['zh-HK', 'zh-Hant', '付款予'],
    ['zh-CN', 'zh-Hans', '付款给'],
    ['fr-FR', 'fr', 'Paiement à'],
    ['sv-SE', 'en', 'Payment to'],
  ] as const) {
    const { page, context } = await newPayer(browser, { ...SCREENS.phone, locale })
    await page.goto(link)
    expect(await page.locator('html').getAttribute('lang')).toBe(language)
    expect(await page.title()).toContain(said)
    expect(await seriousFaults(page)).toEqual([])
    await screenshot(page, `language-${language}`)
    await page.locator('.languages > summary').click()
    await page.getByRole('link', { name: '繁體中文' }).click()
    await page.getByText('卡號').waitFor()
    await context.close()
  }
})

test('a payer who leaves without an attempt has canceled', async () => {
  const { link } = await makeOrder()
  const { page, context } = await newPayer(browser)
  await page.goto(link)
  await page.getByRole('link', { name: /Cancel and return/ }).click()
  expect(await resultAtShop(page)).toMatchObject({ result: 'canceled' })
  await context.close()
})

test('a verification that has no result when its page loads leads to the bank as soon as the bank asks', async () => {
  const customer = await client.createCustomer()
  const token = await client.bindCard(customer.uuid, '4000002500003155')
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  onTestFinished(() => database.end())
  const change = (members: string) =>
    database.query(`update payment_tokens set ${members} where token = $1`, [token.token])
  // The state while the acquirer has not responded and a job is asking it.
  await change("next_action_url = null, leased_until = now() + interval '1 minute'")
  const { page, context, pageErrors } = await newPayer(browser)
  await page.goto(token.verify_url)
  await page.getByRole('heading', { name: 'Your card is being checked' }).waitFor()
  await change('leased_until = null')
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('heading', { name: 'Confirmed' }).waitFor()
  expect(pageErrors).toEqual([])
  await context.close()
})

test.each([
  ['Confirm', 'active', 'Confirmed'],
  ['Decline', 'failed', 'Not confirmed'],
])('the verification page leads to the bank and shows the result (%s)', async (answer, state, title) => {
  const customer = await client.createCustomer()
  const token = await client.bindCard(customer.uuid, '4000002500003155', { return_url: shop })
  const { page, context, pageErrors } = await newPayer(browser, SCREENS.phone)
  await page.goto(token.verify_url)
  await page.getByText('Visa •••• 3155').waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, `verification-${state}`)
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.getByRole('button', { name: answer }).click()
  await page.getByRole('heading', { name: title }).waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await page.getByRole('link', { name: /Return to/ }).click()
  expect(await resultAtShop(page)).toMatchObject({ verify_uuid: token.verify_uuid, state })
  expect(pageErrors).toEqual([])
  await context.close()
})

test('pages of closed orders and of forged links are accessible', async () => {
  const { link, number } = await makeOrder()
  await client.ok('POST', `${PAYMENTS}/orders/void`, { order: { number } })
  const { page, context } = await newPayer(browser, { ...SCREENS.desktop, colorScheme: 'dark' })
  const { link: open } = await makeOrder()
  await page.goto(open)
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'dark')
  await page.goto(link)
  await page.getByRole('heading', { name: 'Cancelled' }).waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await page.goto(`${link.slice(0, -3)}abc`)
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
  expect(await seriousFaults(page)).toEqual([])
  for (const mangled of [`${link}/`, `${link}/more`, link + 'x'.repeat(1_000)]) {
    expect((await page.goto(mangled))?.status()).toBe(404)
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
  }
  await context.close()
})

test('a payer can cancel a wallet payment and pay by card', async () => {
  const { link, number } = await makeOrder()
  const { page, context } = await newPayer(browser)
  await page.goto(link)
  await page.getByLabel('WalletB').check()
  await payButton(page).click()
  const otherWay = page.getByRole('button', { name: 'Pay in another way' })
  await page.route('**/cancel?*', (route) => route.abort())
  await otherWay.click()
  await page.getByText('The connection was interrupted.').waitFor()
  await screenshot(page, 'cancel-interrupted')
  await page.unroute('**/cancel?*')
  await otherWay.click()
  await page.getByText('The payment was cancelled.').waitFor()
  expect(await page.getByText('The payment was declined').count()).toBe(0)
  await typeCard(page, '4242424242424242')
  await payButton(page).click()
  expect(await resultAtShop(page)).toMatchObject({ result: 'paid' })
  const { transactions } = await client.checkOrder(number)
  expect(transactions).toMatchObject([{ success: false }, { success: true }])
  await context.close()
})

test('a payment that was not confirmed in time is not called declined', async () => {
  const { link } = await makeOrder()
  const { page, context } = await newPayer(browser)
  await page.goto(link)
  await page.getByLabel('WalletB').check()
  await payButton(page).click()
  await page.getByRole('button', { name: 'Pay in another way' }).waitFor()
  await client.advanceBy('PT24H1M')
  await page.goto(link)
  await page.getByText('The payment was not confirmed in time.').waitFor()
  expect(await page.getByText('The payment was declined').count()).toBe(0)
  const back = await page.getByRole('link', { name: /^Cancel and return/ }).getAttribute('href')
  expect(new URL(back ?? '').searchParams.get('result')).toBe('failed')
  await screenshot(page, 'not-confirmed')
  await context.close()
})

test.each([true, false])(
  'a payer is charged only the amount on the button (with a script: %s)',
  async (javaScriptEnabled) => {
    const customer = await client.createCustomer()
    const { token } = await client.bindCard(customer.uuid, '4242424242424242')
    const { link, number } = await makeOrder({ customer_uuid: customer.uuid })
    const { transaction } = await client.ok('POST', `${PAYMENTS}/orders/pay`, {
      order: { number },
      transaction: { type: 'Sales', amount: 2000, payment_token: token },
    })
    const { page, context } = await newPayer(browser, { ...SCREENS.desktop, javaScriptEnabled })
    await page.goto(link)
    await typeCard(page, '5555555555554444')
    await client.ok('POST', `${PAYMENTS}/transactions/void`, { transaction: { uuid: transaction.uuid } })
    await page.getByRole('button', { name: 'Pay HK$400.00' }).click()
    await page.getByText('The amount to pay has changed.').waitFor()
    expect(await page.locator('tfoot').innerText()).not.toContain('Left to pay')
    expect((await client.checkOrder(number)).transactions).toHaveLength(1)
    await screenshot(page, `amount-${javaScriptEnabled}`)
    await typeCard(page, '5555555555554444')
    await page.getByRole('button', { name: 'Pay HK$2,400.00' }).click()
    expect(await resultAtShop(page)).toMatchObject({ result: 'paid' })
    await context.close()
  },
)

test('without a script a form that is sent too late leads to the timeout’s URL', async () => {
  const customer = await client.createCustomer()
  const item = await client.createItem(50)
  const plan = await client.createPlan({
    customer_uuid: customer.uuid,
    timeout: { timer: 'PT1H', url: shop },
    recurring_cycles: [
      {
        billing_count: null,
        recurring_billing_config: 'FREQ=MONTHLY',
        recurring_items: [{ quantity: 1, recurring_item_id: item }],
      },
    ],
  })
  await client.advanceBy('PT1M')
  const { current_payment_link: link } = await client.getPlan(plan.id)
  const { page, context } = await newPayer(browser, { ...SCREENS.desktop, javaScriptEnabled: false })
  await page.goto(link)
  await typeCard(page, '4242424242424242')
  await client.advanceBy('PT1H')
  await payButton(page).click()
  await page.waitForURL(shop)
  await context.close()
})
