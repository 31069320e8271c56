import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { seriousFaults } from '../checkout-browser.ts'
import { monthly, PAYMENTS } from '../harness/client.ts'
import { liveClient } from '../harness/command-line.ts'
import { createUser, focus, signedIn, startConsole, visit } from './console-browser.ts'

const OWNER = 'owner@example.com'
const READER = 'reader@example.com'
const DEVELOPER = 'developer@example.com'
const RECURRING = `${PAYMENTS}/recurring_payments`
const CARDS = '/svc/ts/api/v1/openapi/cards'
const scenario = await startConsole()
const { client, url } = scenario
await createUser(scenario, OWNER)
await createUser(scenario, READER, 'read_only')
await createUser(scenario, DEVELOPER, 'developer')
const { page, context, pageErrors } = await signedIn(scenario, OWNER)
afterAll(() => context.close())

const customer = await client.createCustomer({ name: 'Wong Siu Ming' })
const { token } = await client.bindCard(customer.uuid, '5555555555554444')
const { recurring_item: item } = await client.ok('POST', `${RECURRING}/items`, {
  recurring_item: { label: 'Gold membership', price: 88.5, currency: 'HKD' },
})

async function paidOrder() {
  const order = await client.createOrder({ customer_uuid: customer.uuid })
  const { data } = await client.pay(order.number, token)
  return { number: order.number as string, uuid: data.transaction.uuid as string }
}

async function newPlan() {
  const { plan } = await client.ok('POST', `${RECURRING}/plan`, {
    plan: {
      name: `Gold ${randomUUID().slice(0, 8)}`,
      customer_uuid: customer.uuid,
      default_collection_method: 'charge_automatically',
      payment_retry_count: 3,
      payment_retry_day_period: 2,
      recurring_cycles: monthly(item.id),
    },
  })
  return plan
}

/** Presses a button of the page, checks the dialog that it opens, and confirms it. */
async function act(
  button: string,
  effect: string | RegExp,
  confirm: string | RegExp,
  fill?: (dialog: ReturnType<Page['getByRole']>) => Promise<void>,
) {
  await page.getByRole('button', { name: button, exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await fill?.(dialog)
  await dialog.getByText(effect).waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: confirm }).click()
  await dialog.waitFor({ state: 'detached' })
}

test('a refund shows what it does before it is made', async () => {
  const { number, uuid } = await paidOrder()
  await visit(page, `${url}/transactions/${uuid}`)
  await act(
    'Refund',
    /30\.25 HKD goes back to .*4444.*falls from 100\.00 HKD to 69\.75 HKD/,
    'Refund 30.25 HKD',
    async (dialog) => {
      await dialog.getByRole('textbox', { name: 'Amount to refund' }).fill('100.001')
      await dialog.getByText('Enter an amount').waitFor()
      await dialog.getByRole('textbox', { name: 'Amount to refund' }).fill('30,25')
      await dialog.getByText('Decimals follow a point: 30.25.').waitFor()
      await dialog.getByRole('textbox', { name: 'Amount to refund' }).fill('30.25')
    },
  )
  expect(await client.checkOrder(number)).toMatchObject({ refunded_total: '30.25' })
  await page.getByRole('heading', { name: 'Related transactions' }).waitFor()
})

test('an order is made for a customer, and its link is shown to send to the payer', async () => {
  await visit(page, `${url}/orders`)
  await page.getByRole('button', { name: 'New order' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount').fill('150.50')
  await dialog.getByLabel('What is paid for').fill('Celadon teapot')
  await dialog.getByLabel('Customer').fill('wong siu')
  await page.getByRole('option', { name: /^Wong Siu Ming/ }).click()
  expect(await seriousFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Create order' }).click()
  const link = await dialog.getByLabel('Address for the payer').inputValue()
  const payment = await fetch(link)
  expect(await payment.text()).toContain('Celadon teapot')
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: '150.50 HKD', level: 1 }).waitFor()
  const [, number = ''] = /orders\/(ord_\w+)/.exec(page.url()) ?? []
  expect(await client.checkOrder(number)).toMatchObject({ state: 'open', customer_uuid: customer.uuid })
})

test('a plan is paused, resumed and credited, and its timeline says what comes next', async () => {
  const plan = await newPlan()
  await visit(page, `${url}/plans/${plan.id}`)
  await page.getByText('Next', { exact: true }).first().waitFor()
  await act('Pause', /does not happen/, 'Pause plan')
  await act('Resume', /Billing goes on/, 'Resume plan')
  await act(
    'Credit',
    /rises from 0\.00 HKD to 20\.00 HKD/,
    'Credit 20 HKD'.replace('20', '20.00'),
    async (dialog) => {
      await dialog.getByRole('textbox', { name: 'Amount' }).fill('20')
    },
  )
  const { plan: now } = await client.ok('GET', `${RECURRING}/plan/${plan.id}`)
  expect(now).toMatchObject({ credit: 20, state: 'active' })
})

test('a plan is previewed, and then made as it was shown', async () => {
  await visit(page, `${url}/plans/new?customer=${customer.uuid}`)
  await page.getByRole('textbox', { name: 'Name' }).fill('Silver')
  await page.getByRole('combobox', { name: 'Add an item' }).click()
  await page
    .getByRole('option', { name: /Gold membership/ })
    .first()
    .click()
  await page.getByText('The next 12 orders').waitFor()
  await page.getByRole('button', { name: 'Create plan' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create plan' }).click()
  await page.getByRole('heading', { name: 'Silver', level: 1 }).waitFor()
})

test('a card is locked and unlocked, and its limit is changed', async () => {
  const reference = randomUUID()
  const { card } = await client.ok('POST', CARDS, {
    card: {
      reference_id: reference,
      type: 'virtual',
      mode: 'B2C',
      settlement_currency: 'HKD',
      limits: [{ period: 'Daily', limit_amount: '1000.00' }],
    },
  })
  await client.ok('POST', `${CARDS}/link`, { card_reference_id: reference, p_user_id: 'u-1' })
  await visit(page, `${url}/cards/${card.id}`)
  await act('Lock', /declined at once/, 'Lock')
  await act('Unlock', /used again at once/, 'Unlock')
  await act('Change limits', /Daily: 1,000\.00 HKD becomes 250\.00 HKD/, 'Save limits', async (dialog) => {
    await dialog.getByRole('textbox', { name: 'Daily' }).fill('250.00')
  })
  const { card: now } = await client.ok('GET', `${CARDS}/${card.id}`)
  expect(now).toMatchObject({ status: 'Active', limits: [{ limit_amount: '250.00' }] })
})

test('the clock shows what becomes due and then makes it happen', async () => {
  const plan = await newPlan()
  await visit(page, `${url}/sandbox`)
  await page.getByRole('button', { name: '+1 month' }).click()
  await page.getByText('Plans: orders, attempts, grace').waitFor()
  await page.getByRole('link', { name: plan.name }).waitFor()
  await act(await nameOf(/^Advance to/), /moves 31 days/, 'Advance')
  const { plan: now } = await client.ok('GET', `${RECURRING}/plan/${plan.id}`)
  expect(now.recurring_cycles[0].billing_count_created).toBe(2)
})

async function nameOf(pattern: RegExp): Promise<string> {
  return (await page.getByRole('button', { name: pattern }).first().textContent()) ?? ''
}

test('the clock in the bar moves, also while nothing is read', async () => {
  await client.advanceBy('P2D')
  const reader = await signedIn(scenario, OWNER)
  await reader.page.clock.install()
  await reader.page.goto(`${url}/sandbox`)
  const note = reader.page.getByRole('note').getByRole('link').first()
  const before = await note.innerText()
  await reader.context.setOffline(true)
  await reader.page.clock.fastForward('02:00')
  await expect.poll(() => note.innerText()).not.toBe(before)
  await reader.context.close()
})

test('faults of the simulator are set and taken back', async () => {
  await visit(page, `${url}/sandbox`)
  await act('Change', /meet these faults at once/, 'Set the faults', async (dialog) => {
    await dialog.getByRole('textbox', { name: 'Delay' }).fill('1500')
  })
  await page.getByText('Faults are on').waitFor()
  const { faults } = await client.ok('GET', '/svc/sandbox/api/v1/openapi/faults')
  expect(faults.latency_ms).toBe(1500)
  await act('Change', 'The simulator responds to everything again.', 'Set the faults', async (dialog) => {
    await dialog.getByRole('textbox', { name: 'Delay' }).fill('0')
  })
  await page.getByText('No faults').waitFor()
})

test('an event is triggered by hand', async () => {
  await visit(page, `${url}/sandbox`)
  await act('Trigger', /order\.paid happens/, 'Trigger')
  await page.getByText('Made:').waitFor()
})

test('a request of the log is sent again to the test environment', async () => {
  const reference = randomUUID()
  const made = await client.call('POST', `${PAYMENTS}/orders`, {
    order: { reference_number: reference, currency: 'HKD', initial_total: 12 },
  })
  const id = made.headers.get('x-request-id')
  // The log shows a request within a second of its reply.
  await expect
    .poll(async () => (await client.call('GET', `/svc/log/api/v1/openapi/requests/${id}`)).status)
    .toBe(200)
  await visit(page, `${url}/requests/${id}`)
  await page.getByRole('button', { name: 'Replay in sandbox' }).click()
  await page.getByRole('button', { name: 'Send to test' }).click()
  await page.getByRole('dialog').getByText('order_exists').waitFor()
})

test('a user who may only read in live sends a live request again to the test environment', async () => {
  const live = await liveClient(scenario.service)
  const order = { reference_number: randomUUID(), currency: 'HKD', initial_total: 13 }
  const made = await live.call('POST', `${PAYMENTS}/orders`, { order })
  const id = made.headers.get('x-request-id')
  await expect
    .poll(async () => (await live.call('GET', `/svc/log/api/v1/openapi/requests/${id}`)).status)
    .toBe(200)
  const developer = await signedIn(scenario, DEVELOPER)
  await developer.page.goto(`${url}/requests/${id}?environment=live`)
  await developer.page.getByRole('button', { name: 'Replay in sandbox' }).click()
  await developer.page.getByRole('button', { name: 'Send to test' }).click()
  await developer.page.getByRole('dialog').getByText('200', { exact: true }).first().waitFor()
  expect(await client.orders(`reference_number = "${order.reference_number}"`)).toHaveLength(1)
  expect(await live.orders(`reference_number = "${order.reference_number}"`)).toHaveLength(1)
  await developer.context.close()
})

test('a user who may only read sees why an action is not allowed', async () => {
  const { uuid } = await paidOrder()
  const reader = await signedIn(scenario, READER)
  await reader.page.goto(`${url}/transactions/${uuid}`)
  const button = reader.page.getByRole('button', { name: 'Refund' })
  await focus(reader, button)
  await reader.page.getByText('Your role does not have the scope payments:write.').waitFor()
  await button.press('Enter')
  expect(await reader.page.getByRole('dialog').count()).toBe(0)
  await reader.context.close()
})

test('a filter of orders is refunded after a dry run', async () => {
  const { number } = await paidOrder()
  await paidOrder()
  await visit(page, `${url}/orders?filter=${encodeURIComponent(`number = ${number}`)}`)
  await page.getByText('1 row', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('1 payment would be refunded:').waitFor()
  expect(await client.checkOrder(number)).toMatchObject({ state: 'completed' })
  expect(await seriousFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Refund 1 payment' }).click()
  await dialog.getByText('1 of 1 refunded:').waitFor()
  expect(await client.checkOrder(number)).toMatchObject({ state: 'refunded' })
  expect(await client.orders('state = completed')).not.toEqual([])
})

test('no page wrote an error', () => {
  expect(pageErrors.filter((error) => !error.includes('409'))).toEqual([])
})
