import type { Locator, Route } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { monthly, PAYMENTS } from '../harness/client.ts'
import { screenshot } from '../checkout-browser.ts'
import {
  CONSOLE_SCREENS,
  createUser,
  overflowOf,
  show,
  signedIn,
  startConsole,
  type Visitor,
} from './console-browser.ts'

const OWNER = 'owner@example.com'
const BILLING = '/svc/billing/api/v1/openapi'
const RECURRING = `${PAYMENTS}/recurring_payments`
const WIDTHS = [1280, 1366, 1440, 1536]
/** Half of what web.dev calls good. */
const MAX_SHIFT = 0.05
const scenario = await startConsole()
const { client, url } = scenario
await createUser(scenario, OWNER)
const visitor = await signedIn(scenario, OWNER)
const { page, context } = visitor
const phone = await signedIn(scenario, OWNER, CONSOLE_SCREENS['dark phone'])
afterAll(() => Promise.all([context.close(), phone.context.close()]))

const customer = await client.createCustomer({ name: 'Ada Lovelace' })
const { token } = await client.bindCard(customer.uuid, '5555555555554444')
await client.bindCard(customer.uuid, '4242424242424242')
for (let index = 0; index < 3; index++) {
  const order = await client.createOrder({ customer_uuid: customer.uuid })
  await client.pay(order.number, token)
}
const { recurring_item: item } = await client.ok('POST', `${RECURRING}/items`, {
  recurring_item: { label: 'Gold membership', price: 88.5, currency: 'HKD' },
})
const { plan } = await client.ok('POST', `${RECURRING}/plan`, {
  plan: {
    name: 'Gold',
    customer_uuid: customer.uuid,
    default_collection_method: 'charge_automatically',
    payment_retry_count: 3,
    payment_retry_day_period: 2,
    recurring_cycles: monthly(item.id),
  },
})
const seller = async (registrations: object[], name = 'Kiln GmbH') => {
  const { legal_entity: entity } = await client.ok('POST', `${BILLING}/legal_entities`, {
    legal_entity: {
      name,
      address: { line1: 'Hauptstr. 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
      registrations,
    },
  })
  return entity.id
}
const kiln = await seller([])
const send = async (line: object, members: object = {}) => {
  const { invoice } = await client.ok('POST', `${BILLING}/invoices`, {
    invoice: {
      customer_uuid: customer.uuid,
      currency: 'EUR',
      collection: 'send_invoice',
      legal_entity_id: kiln,
      lines: [line],
      ...members,
    },
  })
  return invoice
}
const invoice = await send({ label: 'Set-up', quantity: 3, unit_amount: 411.5 })
await send({ label: 'Training', quantity: 1, unit_amount: 250 })

/** Measures how far the content of the screen moved while the page loaded (https://web.dev/articles/cls). */
const OBSERVE_SHIFTS = `
  window.shifted = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value
  }).observe({ type: 'layout-shift', buffered: true })`

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  if (box === null) throw new Error(`${String(locator)} is not on the page`)
  return { left: box.x, right: box.x + box.width }
}

async function expectWhole(inner: Locator, outer: Locator): Promise<void> {
  const [part, whole] = [await boxOf(inner), await boxOf(outer)]
  expect(part.left).toBeGreaterThanOrEqual(whole.left)
  expect(part.right).toBeLessThanOrEqual(whole.right)
  const cut = await inner.evaluate(
    (element: { scrollWidth: number; clientWidth: number }) => element.scrollWidth - element.clientWidth,
  )
  expect(cut).toBeLessThanOrEqual(0)
}

/** Loads a page whose parts arrive from the last to the first, after it has waited for all of them for as long as it does. */
async function shiftOfSlow({ page: tab, quiet }: Visitor, path: string): Promise<number> {
  const held: Route[] = []
  const object = path.split('/').at(-1) ?? ''
  const isPart = ({ pathname }: URL) =>
    pathname.startsWith('/svc/') && !pathname.endsWith(`/${object}`) && !pathname.endsWith('/clock')
  await tab.route(isPart, (route) => void held.push(route))
  await tab.goto(`${url}${path}`)
  await tab.locator('[data-shown="in order"]').waitFor({ state: 'attached' })
  await quiet(() => held.length)
  expect(held.length).toBeGreaterThan(1)
  for (let part = held.pop(); part !== undefined; part = held.pop()) {
    await part.continue()
    await quiet(() => held.length)
  }
  await tab.locator('[data-shown="all"]').waitFor({ state: 'attached' })
  return await tab.evaluate<number>('window.shifted')
}

const PAGES = [
  ['plan', `/plans/${plan.id}`, 'Gold'],
  ['customer', `/customers/${customer.uuid}`, 'Ada Lovelace'],
  ['invoice', `/invoices/${invoice.id}`, /^Invoice/],
] as const

test.each(PAGES)('the page of a %s does not move while it loads', async (name, path, heading) => {
  const fresh = await signedIn(scenario, OWNER)
  await fresh.page.addInitScript(OBSERVE_SHIFTS)
  await show(fresh, `${url}${path}`, heading)
  await fresh.page.getByRole('region').first().waitFor()
  await fresh.quiet()
  const shifted = await fresh.page.evaluate<number>('window.shifted')
  expect(shifted, `${name}: ${shifted}`).toBeLessThan(MAX_SHIFT)
  await fresh.context.close()
})

test.each(PAGES)('the page of a %s does not move on a slow connection', async (_name, path) => {
  const slow = await signedIn(scenario, OWNER, CONSOLE_SCREENS['dark phone'])
  await slow.page.addInitScript(OBSERVE_SHIFTS)
  expect(await shiftOfSlow(slow, path)).toBeLessThan(MAX_SHIFT)
  await slow.context.close()
})

test('what can be done with a payment method is inside its card at every width', async () => {
  await show(visitor, `${url}/customers/${customer.uuid}`, 'Ada Lovelace')
  const card = page.getByRole('region', { name: 'Payment methods' })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      await screenshot(page, `customer-${width}-${colorScheme}`)
      for (const name of ['Make default', 'Remove'])
        await expectWhole(card.getByRole('button', { name }).first(), card)
      expect([width, await overflowOf(page)]).toEqual([width, 0])
    }
  }
})

test('a phone shows what a bank transfer can be done with, and how many a statement has', async () => {
  const tab = phone.page
  const content = [
    'booking_date,amount,currency,debtor_name,debtor_iban,remittance',
    `2027-06-15,1234.50,EUR,Ada Lovelace,DE02120300000000202051,Invoice ${invoice.number}`,
    '2027-06-15,250.00,EUR,"LOVELACE, Ada",FR7630006000011234567890189,thank you',
    '2027-06-16,3.50,EUR,Pension fund,,refund of fees',
  ].join('\n')
  await client.ok('POST', `${BILLING}/bank_statements`, { bank_statement: { format: 'csv', content } })
  await show(phone, `${url}/bank-entries`, 'Bank transfers')
  await screenshot(tab, 'bank-entries-phone')
  for (const [payer, names] of [
    ['Pension fund', ['Find invoice', 'Ignore']],
    ['LOVELACE', ['Match', 'Ignore']],
  ] as const) {
    const row = tab.getByRole('row').filter({ hasText: payer })
    const date = row.locator('time')
    await expectWhole(date, date.locator('..'))
    for (const name of names) await expectWhole(row.getByRole('button', { name }), row)
  }
  await show(phone, `${url}/bank-statements`, 'Bank statements')
  await screenshot(tab, 'bank-statements-phone')
  await tab.getByText('3 transfers').waitFor()
  expect(await overflowOf(tab)).toBe(0)
})

test('a phone shows from when on a tax rate counts, the net of a line, the tax, and the seller of a new invoice', async () => {
  const tab = phone.page
  await client.ok('POST', `${BILLING}/tax_rates`, {
    tax_rate: { name: 'VAT', country: 'DE', percentage: 19, valid_from: '2020-07-01' },
  })
  await show(phone, `${url}/settings/tax-rates`, 'Tax rates')
  await screenshot(tab, 'tax-rates-phone')
  await tab.getByText('from Jul 1, 2020').waitFor()
  await show(phone, `${url}/invoices/${invoice.id}`, /^Invoice/)
  await screenshot(tab, 'invoice-phone')
  const lines = tab.getByRole('table', { name: 'Lines' })
  await expectWhole(lines.getByText('1,234.50'), lines)
  await expectWhole(lines, tab.locator('body'))
  const berliner = await client.createCustomer({ name: 'Bettina Brentano' })
  await client.ok('PUT', `${BILLING}/customers/${berliner.uuid}/billing_details`, {
    billing_details: { address: { line1: 'Gasse 1', postal_code: '10115', city: 'Berlin', country: 'DE' } },
  })
  const name = 'Kiln Ceramics Wholesale GmbH'
  const registered = await seller([{ country: 'DE' }], name)
  const taxed = await send(
    { label: 'Training', quantity: 1, unit_amount: 1234.5 },
    { customer_uuid: berliner.uuid, legal_entity_id: registered, tax: 'automatic' },
  )
  await show(phone, `${url}/invoices/${taxed.id}`, /^Invoice/)
  await screenshot(tab, 'invoice-with-tax-phone')
  const taxes = tab.getByRole('table', { name: 'Tax' })
  await expectWhole(taxes.getByText('234.56'), taxes)
  await expectWhole(taxes, tab.getByRole('region', { name: 'Tax' }))
  await show(phone, `${url}/invoices`, 'Invoices')
  await tab.getByRole('button', { name: 'New invoice' }).click()
  const dialog = tab.getByRole('dialog')
  const chosen = dialog.getByRole('combobox', { name: 'Legal entity' })
  await chosen.click()
  await tab.getByRole('option', { name }).click()
  await screenshot(tab, 'new-invoice-phone')
  await expectWhole(chosen, dialog)
})
