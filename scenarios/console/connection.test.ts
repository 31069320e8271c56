import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createUser, show, signedIn, startConsole } from './console-browser.ts'

const OWNER = 'owner@example.com'
const REFUND = /\/transactions\/refund$/
const scenario = await startConsole()
const { client, url } = scenario
await createUser(scenario, OWNER)
const visitor = await signedIn(scenario, OWNER)
const { page, context } = visitor
afterAll(() => context.close())
afterEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }))

const customer = await client.createCustomer({ name: 'Wong Siu Ming' })
const { token } = await client.bindCard(customer.uuid, '5555555555554444')

async function paidOrder() {
  const order = await client.createOrder({ customer_uuid: customer.uuid })
  const { data } = await client.pay(order.number, token)
  return { number: order.number as string, uuid: data.transaction.uuid as string }
}

async function refundsOf(number: string): Promise<readonly { amount: string }[]> {
  const { transactions } = await client.checkOrder(number)
  return (transactions as { type: string; amount: string }[]).filter(({ type }) => type === 'Refund')
}

/** The service gets each request of the pattern, but its response never arrives. Returns the keys of the requests. */
async function loseAnswers(pattern: RegExp): Promise<(string | undefined)[]> {
  const keys: (string | undefined)[] = []
  await page.route(pattern, async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    await route.fetch()
  })
  return keys
}

async function openRefund(uuid: string, amount: string) {
  await page.goto(`${url}/transactions/${uuid}`)
  await page.getByRole('button', { name: 'Refund', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  const field = dialog.getByRole('textbox', { name: 'Amount to refund' })
  await field.fill(amount)
  const send = () => dialog.getByRole('button', { name: /^Refund / }).click()
  return { dialog, field, send }
}

// Proves reference/console#writes.
test('a refund without a connection fails at once and is not made when the connection returns', async () => {
  const { number, uuid } = await paidOrder()
  const { dialog, send } = await openRefund(uuid, '30.25')
  await context.setOffline(true)
  await send()
  await dialog.getByText('There is no connection').waitFor()
  await dialog.getByText('Nothing was sent, and nothing will be sent later.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  const sent: string[] = []
  page.on('request', (request) => REFUND.test(request.url()) && sent.push(request.url()))
  await context.setOffline(false)
  await show(visitor, `${url}/orders`, 'Orders')
  expect(sent).toEqual([])
  expect(await refundsOf(number)).toEqual([])
})

// Proves reference/console#writes.
test('a refund whose response is lost is made once, however often it is pressed again', async () => {
  const { number, uuid } = await paidOrder()
  await page.clock.install()
  const { dialog, send } = await openRefund(uuid, '30.25')
  const keys = await loseAnswers(REFUND)
  await send()
  await expect.poll(() => refundsOf(number)).toHaveLength(1)
  // While a response may come, the dialog cannot be closed.
  await page.keyboard.press('Escape')
  expect(await dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true)
  await page.clock.fastForward(31_000)
  await dialog.getByText('We do not know whether it was done. Try again: it is done at most once.').waitFor()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  const [repeated] = await Promise.all([page.waitForRequest(REFUND), send()])
  await dialog.waitFor({ state: 'detached' })
  expect(keys).toEqual([repeated.headers()['idempotency-key']])
  expect(await refundsOf(number)).toHaveLength(1)
})

// Proves reference/console#writes.
test('another amount has another key, and the first amount has its own again', async () => {
  const { number, uuid } = await paidOrder()
  await page.clock.install()
  const { dialog, field, send } = await openRefund(uuid, '60.00')
  const keys = await loseAnswers(REFUND)
  const press = async (amount: string) => {
    await field.fill(amount)
    await send()
    await expect.poll(() => keys.length).toBe(presses.push(amount))
    await page.clock.fastForward(31_000)
    await dialog.getByText('There was no response').waitFor()
  }
  const presses: string[] = []
  await press('60.00')
  await expect.poll(() => refundsOf(number)).toHaveLength(1)
  // The amount is more than is left: the service refuses it, but the refusal does not arrive.
  await press('50.00')
  await press('60.00')
  expect(keys[1]).not.toBe(keys[0])
  expect(keys[2]).toBe(keys[0])
  expect(await refundsOf(number)).toMatchObject([{ amount: -60 }])
})

// Proves reference/console#writes.
test('a write of the account fails at once without a connection, too', async () => {
  await show(visitor, `${url}/account`, 'Your account')
  const changed = `Ada ${randomUUID().slice(0, 8)}`
  await page.getByRole('textbox', { name: 'Name' }).fill(changed)
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Nothing was sent, and nothing will be sent later.').waitFor()
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Nothing was sent').waitFor({ state: 'detached' })
})

// Proves reference/console#upgrades.
test('a page whose script cannot be loaded leaves the navigation and offers to load it again', async () => {
  await page.goto(`${url}/`)
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  await visitor.quiet()
  await context.setOffline(true)
  const navigation = page.getByRole('navigation', { name: 'Pages' })
  await navigation.getByRole('link', { name: 'Products' }).click()
  await page.getByText('This page could not be loaded').waitFor()
  await navigation.getByRole('link', { name: 'Home' }).waitFor()
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Reload' }).click()
  await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor()
})

// Proves reference/console#upgrades.
test('after an upgrade an old tab loads the new build when a page is opened', async () => {
  // The tab of an older build: its entry has another address, and the service lacks the script of the page.
  await page.route(`${url}/`, async (route) => {
    const response = await route.fetch()
    const html = await response.text()
    await route.fulfill({ response, body: html.replace(/(\/index-[\w-]+\.js)"/, '$1?older"') })
  })
  let isOld = true
  await page.route(/\/assets\/coupon-list-page-/, (route) =>
    isOld ? route.fulfill({ status: 404 }) : route.continue(),
  )
  await page.goto(`${url}/`)
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  await visitor.quiet()
  await page.unroute(`${url}/`)
  page.once('request', function loads(request) {
    if (request.isNavigationRequest()) isOld = false
    else page.once('request', loads)
  })
  await page.getByRole('link', { name: 'Coupons' }).click()
  await page.getByRole('heading', { name: 'Coupons', level: 1 }).waitFor()
  expect(await page.locator('script[src*="?older"]').count()).toBe(0)
})
