import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { screenshot, seriousFaults } from '../checkout-browser.ts'
import {
  CONSOLE_SCREENS,
  createUser,
  focus,
  overflowOf,
  show,
  signedIn,
  startConsole,
  visit,
} from './console-browser.ts'

const EMAIL = 'owner@example.com'
const scenario = await startConsole()
const { client, url } = scenario
await createUser(scenario, EMAIL)
const desktop = await signedIn(scenario, EMAIL)
afterAll(() => desktop.context.close())
const customer = await client.createCustomer()
const { token } = await client.bindCard(customer.uuid, '5555555555554444')
for (let index = 0; index < 60; index++) {
  await client.createOrder({
    reference_number: `order-${index}-${randomUUID()}`,
    initial_total: 1000 + index,
  })
}
const order = await client.createOrder({ reference_number: `teapot-${randomUUID()}` })
await client.pay(order.number, token)

const PAGES = [
  ['/', 'Home'],
  ['/reports?period=last_year', 'Reports'],
  ['/orders', 'Orders'],
  ['/invoices', 'Invoices'],
  ['/search?query=teapot', 'Search'],
  ['/settings/people', 'People'],
  ['/settings/api-keys', 'API keys'],
  ['/settings/webhooks', 'Webhook endpoints'],
  ['/settings/acquirers', 'Acquirer accounts'],
  ['/settings/routing', 'Routing'],
  ['/settings/legal-entities', 'Legal entities'],
  ['/settings/tax-rates', 'Tax rates'],
  ['/settings/exchange-rates', 'Exchange rates'],
  ['/settings/business', 'Business'],
  ['/settings/branding', 'Branding'],
  ['/account', 'Your account'],
  ['/nowhere', 'This page does not exist'],
] as const

test.each(Object.entries(CONSOLE_SCREENS))(
  'every page fits the screen, is accessible and loads without an error (%s)',
  async (name, screen) => {
    const visitor = name === 'desktop' ? desktop : await signedIn(scenario, EMAIL, screen)
    const { page, pageErrors } = visitor
    for (const [path, heading] of PAGES) {
      await show(visitor, `${url}${path}`, heading)
      expect([path, await seriousFaults(page)]).toEqual([path, []])
      expect([path, await overflowOf(page)]).toEqual([path, 0])
      await screenshot(page, `${name}-${path.replaceAll(/\W+/g, '-')}`)
    }
    expect(pageErrors).toEqual([])
    if (visitor !== desktop) await visitor.context.close()
  },
)

test('an order is found and refunded with the keyboard alone', async () => {
  const { page } = desktop
  await show(desktop, url, 'Home')
  await page.keyboard.type('go')
  await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor()
  await page.keyboard.type('/tea')
  await page.getByRole('dialog').getByText(order.reference_number).first().waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  // A fast typist waits neither for the field nor for the results.
  await page.keyboard.type('/teapot')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/orders/${order.number}?**`)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  // The palette gives the focus back a moment after it has closed.
  await focus(desktop, page.getByRole('button', { name: 'Refund', exact: true }).first())
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await page
    .getByRole('dialog')
    .getByLabel(/Amount/)
    .first()
    .focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('40')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect((await client.checkOrder(order.number)).refunded_total).toBe('40.00')
})

test('a group of pages opens for its page and stays as it was left', async () => {
  const { page, context } = await signedIn(scenario, EMAIL, CONSOLE_SCREENS['dark phone'])
  await page.goto(`${url}/events`)
  await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Open the menu' }).click()
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await pages.getByRole('link', { name: 'Request log' }).waitFor()
  await pages.getByText('Billing', { exact: true }).click()
  await pages.getByRole('link', { name: 'Invoices' }).waitFor({ state: 'hidden' })
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'navigation-phone')
  await pages.getByRole('link', { name: 'Home' }).click()
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Open the menu' }).click()
  await pages.getByRole('link', { name: 'Orders' }).waitFor()
  expect(await pages.getByRole('link', { name: /Invoices|Request log/ }).count()).toBe(0)
  await context.close()
})

/** Opens the palette, and types while its field is drawn and has no focus yet. */
const TYPE_EARLY = `new Promise((resolve) => {
  const press = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  const observer = new MutationObserver(() => {
    if (document.querySelector('[data-palette] input') === null) return
    observer.disconnect()
    for (const key of 'tea') press(key)
    resolve()
  })
  observer.observe(document.body, { childList: true, subtree: true })
  press('/')
})`

test('no key is lost between the palette and its focus', async () => {
  const { page } = desktop
  await show(desktop, url, 'Home')
  await page.evaluate(TYPE_EARLY)
  await page.keyboard.type('pot')
  const field = page.getByRole('textbox', { name: 'Search pages and objects' })
  await expect.poll(() => field.inputValue()).toBe('teapot')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('arrow keys move through more rows than the page holds, and Enter opens one', async () => {
  const { page } = desktop
  await visit(page, `${url}/orders`)
  const rows = page.locator('tbody tr[data-row]')
  await focus(desktop, rows.first())
  const focusedRow = async () => Number(await page.evaluate("document.activeElement.dataset['row']"))
  for (let row = 1; row < 50; row++) await page.keyboard.press('ArrowDown')
  await expect.poll(focusedRow).toBe(49)
  // The next page is being read.
  const next = async () => {
    await page.keyboard.press('ArrowDown')
    return focusedRow()
  }
  await expect.poll(next).toBeGreaterThanOrEqual(55)
  expect(await rows.count()).toBeLessThan(55)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/orders/ord_*')
})

test('a filter is written in the bar, is in the address, and is kept as a view of the user', async () => {
  const { page } = desktop
  await visit(page, `${url}/orders`)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Amount' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Amount' }).fill('1050')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('10 rows').waitFor()
  expect(new URL(page.url()).searchParams.get('filter')).toBe('initial_total >= 1050')
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByLabel('Name of the view').fill('Large')
  await page.keyboard.press('Enter')
  await page.goto(`${url}/orders`)
  await page.getByRole('button', { name: 'Large', exact: true }).click()
  await page.getByText('10 rows').waitFor()
  expect(await seriousFaults(page)).toEqual([])
})

test('an id leads to its page, and every other text to the search', async () => {
  const { page } = desktop
  const data = (await client.checkOrder(order.number)) as { transactions: { uuid: string }[] }
  const transaction = data.transactions[0]?.uuid
  for (const [id, place] of [
    [order.number, `/orders/${order.number}`],
    [transaction, `/transactions/${transaction}`],
    [customer.uuid, `/customers/${customer.uuid}`],
    ['evt_01m853f', '/search'],
    ['dlv_01m853f', '/deliveries'],
    ['whe_01m853f', '/settings/webhooks'],
    ['teapot', '/search'],
  ]) {
    await visit(page, `${url}/find/${id}?environment=test`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    expect(new URL(page.url()).pathname).toBe(`/console${place}`)
    expect(new URL(page.url()).searchParams.get('environment')).toBe('test')
  }
  await page.getByRole('link', { name: order.reference_number }).first().waitFor()
})

test('a plan is found by a word of its name with a typing error', async () => {
  const { page } = desktop
  const item = await client.createItem(100)
  const plan = await client.createPlan({
    name: 'Harbour Tea Membership',
    customer_uuid: customer.uuid,
    recurring_cycles: [
      {
        recurring_billing_config: 'FREQ=MONTHLY',
        billing_count: null,
        recurring_items: [{ recurring_item_id: item, quantity: 1 }],
      },
    ],
  })
  await visit(page, `${url}/search?query=membreship`)
  await page.getByRole('link', { name: 'Harbour Tea Membership' }).first().click()
  await page.waitForURL(`**/plans/${plan.id}**`)
})

test('the same page, what happens to an order and why, and an error are shown in Chinese', async () => {
  const chinese = await signedIn(scenario, EMAIL, { locale: 'zh-HK' })
  const { page } = chinese
  await visit(page, `${url}/settings/people`)
  await page.getByRole('heading', { name: '成員', level: 1 }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('zh-Hant')
  await visit(page, `${url}/orders/${order.number}`)
  await page.getByText('訂單已全數付清，共 100.00 HKD。').waitFor()
  await page.getByText('付款 100.00 HKD 成功。').waitFor()
  await page.getByText('付款 100.00 HKD 將結算。').waitFor()
  await page.getByText('結算之前可以作廢，之後只能退款。').waitFor()
  await visit(page, `${url}/orders/ord_00000000000000000000000000`)
  await page.getByText('沒有這個編號的訂單。').waitFor()
  expect(await page.getByText('There is no order').count()).toBe(0)
  await chinese.context.close()
})

test('a user who may only read sees no action, or why it is not allowed', async () => {
  await createUser(scenario, 'reader@example.com', 'read_only')
  const reader = await signedIn(scenario, 'reader@example.com')
  const { page } = reader
  await visit(page, `${url}/settings/api-keys`)
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  await page.getByText(/^\d+ rows?$/).waitFor()
  expect(await page.getByRole('button', { name: 'Create a key' }).count()).toBe(0)
  await visit(page, `${url}/orders/${order.number}`)
  await page.getByText(order.number).first().waitFor()
  const refund = page.getByRole('button', { name: 'Refund' }).first()
  // Mantine's own disabled state would hide the reason from the keyboard.
  expect(await refund.getAttribute('aria-disabled')).toBe('true')
  await focus(reader, refund)
  await page.getByText('Your role does not have the scope payments:write.').waitFor()
  await reader.context.close()
})
