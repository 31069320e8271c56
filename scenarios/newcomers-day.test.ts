import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { PaymentDeclinedError, Quittance } from '../sdk/src/index.ts'
import { SCREENS, screenshot } from './checkout-browser.ts'
import { buildConsole } from './harness/built-console.ts'
import { type Service, startService } from './harness/service.ts'
import { sharedBrowser } from './harness/shared-browser.ts'

const MINUTES = 60_000
const EMAIL = 'lam.ka.yan@example.com'
const took: string[] = []
const browser = await sharedBrowser()
let service: Service
let quittance: Quittance
let page: Page

beforeAll(async () => {
  await buildConsole()
  const context = await browser.newContext({ locale: 'en-US', ...SCREENS.desktop })
  page = await context.newPage()
}, 2 * MINUTES)

afterAll(async () => {
  process.stdout.write(['The first day:', ...took, ''].join('\n'))
  await service.stop()
})

/** Steps follow each other. When one fails, later steps that need its objects fail, too. */
function step(name: string, run: () => Promise<void>): void {
  test(
    name,
    async () => {
      const startedAtMs = performance.now()
      await run()
      const seconds = (performance.now() - startedAtMs) / 1_000
      took.push(`${String(took.length + 1).padStart(2)}. ${name}: ${seconds.toFixed(1)} s`)
      await screenshot(page, `first-day-${took.length}`)
    },
    2 * MINUTES,
  )
}

function cardToken(customer: string, number: string) {
  return quittance.paymentTokens.create(customer, {
    token_type: 'CreditCard',
    credit_card: {
      number,
      exp_month: '12',
      exp_year: '2035',
      cvc: '123',
      holder_name: 'LAM KA YAN',
      billing_currency: 'HKD',
    },
  })
}

let customer: string
let order: string

step('start the service with an empty data directory', async () => {
  service = await startService()
})

step('make the first user with the link that the start printed', async () => {
  const link = () => /http\S+\/console\/setup\?token=\S+/.exec(service.output())?.[0]
  await page.goto(await vi.waitUntil(link, { timeout: MINUTES }))
  await page.getByLabel('Your name').fill('Ada')
  await page.getByLabel('E-mail address').fill('ada@example.com')
  await page.getByLabel('New password').fill('correct horse battery staple')
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByText('Paid today', { exact: true }).waitFor()
})

step('sign up a customer', async () => {
  const { api_key: apiKey, base_url: baseUrl } = service.sandbox
  quittance = new Quittance({ apiKey, baseUrl })
  for (const name of ['Chan Tai Man', 'Lam Ka Ying', 'Lam Siu Yan']) {
    const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.com`
    await quittance.customers.create({ reference_number: email, name, email, phone: '91234567' })
  }
  const signedUp = await quittance.customers.create({
    reference_number: 'c-1',
    name: 'Lam Ka Yan',
    email: EMAIL,
    phone: '98765432',
  })
  customer = signedUp.uuid
})

step('take a payment', async () => {
  const { token } = await cardToken(customer, '4242424242424242')
  const made = await quittance.orders.create({
    reference_number: 'o-1',
    currency: 'HKD',
    initial_total: '150.50',
    customer_uuid: customer,
  })
  const paid = await quittance.orders.pay(made.order.number, { type: 'Sales', payment_token: token })
  expect(paid.order).toMatchObject({ state: 'completed', paid_total: '150.50' })
})

step('take one that fails, and the second attempt with another card', async () => {
  const { token: empty } = await cardToken(customer, '4000000000009995')
  const { token: good } = await cardToken(customer, '5555555555554444')
  const made = await quittance.orders.create({
    reference_number: 'o-2',
    currency: 'HKD',
    initial_total: '480.00',
    customer_uuid: customer,
  })
  order = made.order.number
  const refused: unknown = await quittance.orders
    .pay(order, { type: 'Sales', payment_token: empty })
    .catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(PaymentDeclinedError)
  expect(refused).toMatchObject({ declineCode: 'insufficient_funds' })
  const paid = await quittance.orders.pay(order, { type: 'Sales', payment_token: good })
  expect(paid.order).toMatchObject({ state: 'completed' })
})

step('let three weeks pass', async () => {
  const before = await quittance.sandbox.getClock()
  const after = await quittance.sandbox.advanceClock({ by: 'P21D' })
  expect(Date.parse(after.now) - Date.parse(before.now)).toBeGreaterThanOrEqual(21 * 86_400_000)
})

step('find the customer by e-mail in the console', async () => {
  await page.reload()
  await page.getByText('Paid today', { exact: true }).waitFor()
  await page.keyboard.press('/')
  await page.getByRole('textbox', { name: 'Search pages and objects' }).fill(EMAIL)
  await page.getByRole('dialog').getByText('Lam Ka Yan').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/customers/${customer}?**`)
  await page.getByRole('heading', { name: 'Lam Ka Yan', level: 1 }).waitFor()
})

step('open the order with the failed payment', async () => {
  await page
    .getByRole('group', { name: 'Orders' })
    .getByRole('link', { name: /480\.00/ })
    .click()
  await page.waitForURL(`**/orders/${order}?**`)
})

step('see on the timeline why it failed', async () => {
  const failed = page.getByRole('listitem').filter({ hasText: 'insufficient_funds' })
  await failed.first().waitFor()
  expect(await failed.first().innerText()).toContain('480.00')
})

step('refund the payment', async () => {
  await page.getByRole('button', { name: 'Refund', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/goes back to .*4444/).waitFor()
  await dialog.getByRole('button', { name: 'Refund 480.00 HKD' }).click()
  await dialog.waitFor({ state: 'detached' })
  const after = await quittance.orders.get(order)
  expect(after.order).toMatchObject({ state: 'refunded', refunded_total: '480.00' })
  expect(after.order.transactions).toContainEqual(
    expect.objectContaining({ type: 'Refund', success: true, amount: '-480.00' }),
  )
})
