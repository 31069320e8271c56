import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { END_OPERATION_LEASES } from '#modules/payments'
import { releaseDeadLeases } from '#platform/jobs/dead-leases'
import { startDatabaseProxy } from '#platform/postgres/testing/database-proxy'
import { connectForTenant, createMigratedDatabase, untilWaiting } from '#platform/testing/database'
import { SimulatorProcess, temporaryDirectory } from '../src/modules/acquirers/testing/simulator.ts'
import { newPayer, screenshot, seriousFaults, SCREENS } from './checkout-browser.ts'
import { startAcquirerProxy } from './harness/acquirer-proxy.ts'
import { PAYMENTS } from './harness/client.ts'
import { startScenario } from './harness/scenario.ts'
import { sharedBrowser } from './harness/shared-browser.ts'

const books = await temporaryDirectory()
const simulator = await SimulatorProcess.start(books.dir)
afterAll(async () => {
  await simulator.stop('SIGKILL')
  await books.remove()
})
const acquirer = await startAcquirerProxy(simulator.url)
const databaseUrl = await createMigratedDatabase()
const database = await startDatabaseProxy(databaseUrl)
const { client } = await startScenario({ env: { SIMULATOR_URL: acquirer.url, DATABASE_URL: database.url } })
const browser = await sharedBrowser()
/** The service reaches the nodes of Citus without the proxy, which cuts connections to the coordinator only. */
const IS_CITUS = process.env['CITUS_URL'] !== undefined

beforeEach(() => {
  database.restore()
  acquirer.beforeResponse = () => {}
  acquirer.changeRequest = (_path, body) => body
})

async function makeOrder(members: object = {}): Promise<{ number: string; link: string }> {
  const { order, payment_link: link } = await client.ok('POST', `${PAYMENTS}/orders?with_payment_link=true`, {
    order: { reference_number: `order-${randomUUID()}`, currency: 'HKD', initial_total: 100, ...members },
  })
  return { number: order.number, link }
}

const FORM = {
  method: 'credit_card',
  number: '4242424242424242',
  expiry: '12/49',
  cvc: '123',
  name: 'CHAN TAI MAN',
}

/** Runs `happen` once, when the acquirer has booked the next payment and the service does not know it yet. */
function onceBooked(happen: () => Promise<unknown> | void): void {
  acquirer.beforeResponse = async (path) => {
    if (path !== '/sales') return
    acquirer.beforeResponse = () => {}
    await happen()
  }
}

/** Lets the resolver find the result at once, instead of when the lease of the payment ends after 30 s. */
async function resolve(): Promise<void> {
  await releaseDeadLeases(databaseUrl, [END_OPERATION_LEASES])
  await client.advanceBy('PT1M')
}

// Proves reference/pages#processing, reference/payments#unknown-outcomes.
test('a result whose recording was cut off is recorded over another connection', async () => {
  const { number, link } = await makeOrder()
  // Connects without the proxy.
  const admin = await connectForTenant(databaseUrl, client.sandbox.business_id)
  onceBooked(async () => {
    await admin.query('begin')
    await admin.query('select from orders where id = $1 for update', [number])
  })
  const paying = fetch(link, { method: 'POST', body: new URLSearchParams(FORM) })
  await untilWaiting(admin, 1)
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  )
  await admin.query('commit')
  const page = await paying
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('This order is paid in full')
})

test.skipIf(IS_CITUS).each([true, false])(
  'a payment whose result cannot be recorded is shown as processing, then as paid (with a script: %s)',
  async (javaScriptEnabled) => {
    const { number, link } = await makeOrder()
    const { page, context } = await newPayer(browser, { ...SCREENS.desktop, javaScriptEnabled })
    await page.goto(link)
    await page.getByLabel('Card number').fill(FORM.number)
    await page.getByLabel('Expiry date').fill(FORM.expiry)
    await page.getByLabel('Security code').fill(FORM.cvc)
    await page.getByLabel('Name on card').fill(FORM.name)
    onceBooked(() => database.cut())
    await page.getByRole('button', { name: /^Pay HK\$/ }).click()
    await page.getByRole('heading', { name: 'Your payment is being processed' }).waitFor()
    if (javaScriptEnabled) expect(await seriousFaults(page)).toEqual([])
    await screenshot(page, `processing-${javaScriptEnabled}`)
    database.restore()
    await expect.poll(() => client.checkOrder(number).catch(() => null)).not.toBeNull()
    await resolve()
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    expect((await client.checkOrder(number)).transactions).toHaveLength(1)
    await context.close()
  },
)

test.skipIf(IS_CITUS)(
  'a processing page reloads itself without a script, also while the database cannot be reached',
  async () => {
    const { number, link } = await makeOrder()
    onceBooked(() => database.cut())
    const page = await fetch(link, { method: 'POST', body: new URLSearchParams(FORM) })
    expect(page.status).toBe(200)
    const reload = /<meta http-equiv="refresh" content="5; url=([^"]+)"/.exec(await page.text())?.[1] ?? ''
    expect(new URL(reload, link).pathname).toBe(new URL(link).pathname)
    const unavailable = await fetch(link)
    expect(unavailable.status).toBe(503)
    expect(await unavailable.text()).toContain(`content="5; url=${new URL(link).pathname}"`)
    database.restore()
    await expect.poll(() => client.checkOrder(number).catch(() => null)).not.toBeNull()
  },
)

// Proves reference/customers#binding.
test('a saved card whose verification the bank challenges is confirmed after the payment', async () => {
  acquirer.changeRequest = (path, body) =>
    path === '/verifications' ? body.replace(FORM.number, '4000002500003155') : body
  const customer = await client.createCustomer()
  const { link } = await makeOrder({ customer_uuid: customer.uuid, return_url: 'https://shop.example.com/' })
  const { page, context } = await newPayer(browser)
  await page.goto(link)
  await page.getByLabel('Card number').fill(FORM.number)
  await page.getByLabel('Expiry date').fill(FORM.expiry)
  await page.getByLabel('Security code').fill(FORM.cvc)
  await page.getByLabel('Name on card').fill(FORM.name)
  await page.getByLabel(/Save this card/).check()
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'save-card')
  await page.getByRole('button', { name: /^Pay HK\$/ }).click()
  const confirm = page.getByRole('link', { name: 'Confirm the card' })
  expect(await confirm.getAttribute('href'), 'in the language that the payer chose').toMatch(/\?lang=en$/)
  await confirm.click()
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('heading', { name: 'Confirmed' }).waitFor()
  const back = await page.getByRole('link', { name: /Return to/ }).getAttribute('href')
  expect(new URL(back ?? '').pathname).toBe(new URL(link).pathname)
  const { payment_tokens: tokens } = await client.ok(
    'GET',
    `${PAYMENTS}/customers/${customer.uuid}/payment_tokens`,
  )
  expect(tokens).toMatchObject([{ state: 'active', credit_card: { number: '424242******4242' } }])
  await context.close()
})
