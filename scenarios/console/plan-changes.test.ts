import { afterAll, expect, test } from 'vitest'
import { screenshot, seriousFaults } from '../checkout-browser.ts'
import { createUser, signedIn, startConsole, visit } from './console-browser.ts'

const OWNER = 'owner@example.com'
const PLAN = '/svc/payment/api/v1/openapi/recurring_payments/plan'
const scenario = await startConsole()
const { client, url } = scenario
await createUser(scenario, OWNER)
const { page, context, pageErrors } = await signedIn(scenario, OWNER)
afterAll(() => context.close())

async function planWith(card: string, members: Record<string, unknown> = {}) {
  const { uuid } = await client.createCustomer()
  await client.bindCard(uuid, card, { default: true })
  const item = await client.createItem(80)
  const cycle = {
    billing_count: null,
    recurring_billing_config: 'FREQ=DAILY;INTERVAL=10',
    recurring_items: [{ recurring_item_id: item, quantity: 1 }],
  }
  const { id } = await client.createPlan({ customer_uuid: uuid, recurring_cycles: [cycle], ...members })
  await client.advanceBy('PT1M')
  const read = async () => (await client.ok('GET', `${PLAN}/${id}`)).plan
  return { id, customer: uuid, read }
}

// Proves reference/billing-changes#request.
test('a plan is changed beside what the change bills, and a scheduled change is removed', async () => {
  const { id, read } = await planWith('4242424242424242')
  await visit(page, `${url}/plans/${id}?environment=test`)
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  const dialog = page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: 'Change the plan' })
  expect(await confirm.isDisabled()).toBe(true)
  await dialog.getByLabel('Quantity').fill('3')
  await dialog.getByText('Total of the change').waitFor()
  const shown = await dialog.innerText()
  expect(shown).toMatch(/Unused time: Membership\n+\w+ \d+(, \d{4})? – .*, \d{4}\s+.80\.00/)
  expect(shown).toMatch(/Membership until the end of the period\n+[A-Z]/)
  expect(shown).toMatch(/Total of the change\s+160\.00/)
  expect(shown).toMatch(/The next orders\n+[A-Z]\w+ \d+, \d{4}/)
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'change of a plan')
  await confirm.click()
  await dialog.waitFor({ state: 'detached' })
  const quantityOf = async () => (await read()).recurring_cycles[0].recurring_items[0].quantity
  await expect.poll(quantityOf).toBe(3)
  const changed = page
    .getByRole('listitem')
    .filter({ hasText: /changed from 1 × Membership \(80\.00 HKD\) to 3 × Membership \(240\.00 HKD\)\./ })
  await changed.getByText(/^by owner$/i).waitFor()

  const { current_order: order } = await read()
  const orderPage = await context.newPage()
  await orderPage.goto(`${url}/orders/${order.order_number}?environment=test`)
  await orderPage.getByText('Unused time: Membership').waitFor()
  expect(await orderPage.getByRole('group', { name: 'Items' }).innerText()).toMatch(
    /Unused time: Membership\n+.*\d{4}\s+1\s+.80\.00.*\s+Membership until the end of the period\n+.*\d{4}\s+1\s+240\.00/,
  )
  await screenshot(orderPage, 'order of a change')
  await orderPage.close()

  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await dialog.getByLabel('Quantity').fill('2')
  await dialog.getByRole('radio', { name: 'With the next period' }).click()
  await dialog.getByRole('button', { name: 'Schedule the change' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('A change was scheduled for the end of the period.').waitFor()
  await page.getByText('The scheduled change of the plan takes effect.').waitFor()
  await screenshot(page, 'plan with a scheduled change')
  await page.getByRole('button', { name: 'Remove change' }).click()
  await dialog.getByRole('button', { name: 'Remove it' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await read()).not.toHaveProperty('pending_change')
  expect(pageErrors).toEqual([])
})

test('of an uncollectible plan another card is charged, which revives it', async () => {
  const { id, customer, read } = await planWith('4000000000000341', { payment_retry_count: 1 })
  await expect.poll(async () => (await read()).state).toBe('uncollectible')
  await client.bindCard(customer, '5555555555554444')
  await visit(page, `${url}/plans/${id}?environment=test`)
  await page.getByRole('button', { name: 'Charge another card' }).click()
  expect(await page.getByRole('button', { name: 'Retry now' }).count()).toBe(0)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Card' }).click()
  await page.getByRole('option', { name: /4444/ }).click()
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'charge of another card')
  await dialog.getByRole('button', { name: 'Charge 80.00 HKD' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(async () => (await read()).state).toBe('active')
  expect(pageErrors).toEqual([])
})
