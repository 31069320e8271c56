import { afterAll, expect, test } from 'vitest'
import { screenshot, seriousFaults } from '../checkout-browser.ts'
import { liveClient } from '../harness/command-line.ts'
import { createUser, signedIn, startConsole, visit } from './console-browser.ts'

const OWNER = 'owner@example.com'
const BILLING = '/svc/billing/api/v1/openapi'
const scenario = await startConsole()
const { client, url } = scenario
await createUser(scenario, OWNER)
const { page, context, pageErrors } = await signedIn(scenario, OWNER)
afterAll(() => context.close())

// Proves reference/orders#payment-links.
test('a new order that nobody could pay is refused, and the page says what to do', async () => {
  const live = await liveClient(scenario.service)
  await visit(page, `${url}/orders?environment=live`)
  await page.getByRole('button', { name: 'New order' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount').fill('150.50')
  await dialog.getByLabel('What is paid for').fill('Celadon teapot')
  await dialog.getByRole('button', { name: 'Create order' }).click()
  await dialog.getByText('This was not done').waitFor()
  await dialog.getByText('No acquirer account can take this payment.').waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'new order without an acquirer')
  expect(await live.orders('state = open')).toEqual([])
  await dialog.getByRole('link', { name: 'Go to acquirer accounts' }).click()
  await page.getByRole('heading', { name: 'Acquirer accounts', level: 1 }).waitFor()
})

// Proves reference/orders#voiding.
test('Refund and Void are offered where they can be done', async () => {
  const { uuid } = await client.createCustomer()
  const { token } = await client.bindCard(uuid, '4242424242424242')
  const { number } = await client.createOrder({ customer_uuid: uuid })
  const { data } = await client.pay(number, token)
  const filter = encodeURIComponent(`order_number = "${number}"`)
  await visit(page, `${url}/transactions?environment=test&filter=${filter}`)
  const select = page.getByRole('checkbox', { name: `Select ${data.transaction.uuid}` })
  await select.waitFor()
  const refund = page.getByRole('button', { name: 'Refund', exact: true })
  expect(await refund.count()).toBe(0)
  await screenshot(page, 'transactions of a filter')
  await select.check()
  await refund.waitFor()
  await visit(page, `${url}/orders?filter=${encodeURIComponent(`number = "${number}"`)}`)
  await refund.waitFor()

  const button = page.getByRole('button', { name: 'Void order' })
  await visit(page, `${url}/orders/${number}`)
  await button.waitFor()
  expect(await button.getAttribute('aria-disabled')).toBeNull()
  await client.advanceBy('P1D')
  await page.reload()
  await button.waitFor()
  expect(await button.getAttribute('aria-disabled')).toBe('true')
  await button.hover()
  await page.getByText('Refund what was paid instead').waitFor()
  await screenshot(page, 'settled order')
  expect(pageErrors.filter((text) => !text.includes('503'))).toEqual([])
})

// Proves reference/billing-transfers#overpayments.
test('a repayment by hand is undone at its order, and an invoice says what was given back beyond an overpayment', async () => {
  const { legal_entity: entity } = await client.ok('POST', `${BILLING}/legal_entities`, {
    legal_entity: {
      name: 'Kiln GmbH',
      address: { line1: 'Gasse 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
      registrations: [],
    },
  })
  const { uuid } = await client.createCustomer()
  const { invoice } = await client.ok('POST', `${BILLING}/invoices`, {
    invoice: {
      customer_uuid: uuid,
      currency: 'EUR',
      legal_entity_id: entity.id,
      lines: [{ label: 'Set-up', quantity: 1, unit_amount: 100 }],
      collection: 'send_invoice',
    },
  })
  await client.ok('POST', `${BILLING}/invoices/${invoice.id}/payments`, {
    payment: { method: 'bank_transfer' },
  })
  await client.ok('POST', `${BILLING}/orders/${invoice.order_number}/repayments`, {
    repayment: { amount: 60 },
  })
  await visit(page, `${url}/invoices/${invoice.id}?environment=test`)
  const payments = page.getByRole('region', { name: 'Payments' })
  await payments.getByText('Given back beyond that').waitFor()
  expect(await payments.innerText()).toMatch(/without a credit note:\s60\.00/)
  expect(await payments.getByRole('button', { name: 'Record repayment' }).count()).toBe(0)
  await screenshot(page, 'repaid beyond an overpayment')
  await visit(page, `${url}/orders/${invoice.order_number}`)
  const refund = page.getByRole('row', { name: /^Refund/ })
  await refund.getByRole('button', { name: 'Undo' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The repayment of 60.00 EUR no longer counts.').waitFor()
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('It no longer counts.').waitFor()
  expect((await client.ok('GET', `${BILLING}/invoices/${invoice.id}`)).invoice.overpaid).toBe(0)
})

// Proves reference/reports#days.
test('Home says when the plans were counted', async () => {
  await visit(page, url)
  await page.getByText('Plans were counted:').waitFor()
  await screenshot(page, 'home with the time of the count')
})
