import { readFile } from 'node:fs/promises'
import { afterAll, expect, test } from 'vitest'
import { seriousFaults } from '../checkout-browser.ts'
import { newVisitor, PASSWORD, startConsole, visit } from './console-browser.ts'
import { monthly } from '../harness/client.ts'

const scenario = await startConsole()
const { client, url, service } = scenario
const { page, context, pageErrors } = await newVisitor(scenario)
afterAll(() => context.close())

const customer = await client.createCustomer()
const { token } = await client.bindCard(customer.uuid, '5555555555554444')

async function confirm(button: string, effect: RegExp, confirmation: RegExp, choose?: string) {
  await page.getByRole('button', { name: button, exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  if (choose !== undefined) await dialog.getByRole('radio', { name: choose }).click()
  await dialog.getByText(effect).waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: confirmation }).click()
  await dialog.waitFor({ state: 'detached' })
}

test('the link of the first start makes the first user, and works once', async () => {
  const link = /\/console\/setup\?token=\S+/.exec(service.output())?.[0].replace('/console', '')
  await page.goto(url + link)
  await page.getByRole('textbox', { name: 'Name' }).fill('Chan Tai Man')
  await page.getByRole('textbox', { name: 'E-mail address' }).fill('chan@example.com')
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD)
  expect(await seriousFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  // The API returns 401 to whoever is not signed in.
  pageErrors.length = 0
  const stranger = await newVisitor(scenario)
  await stranger.page.goto(url + link)
  await stranger.page.getByRole('textbox', { name: 'Name' }).fill('Somebody')
  await stranger.page.getByRole('textbox', { name: 'E-mail address' }).fill('somebody@example.com')
  await stranger.page.getByLabel('New password', { exact: true }).fill(PASSWORD)
  await stranger.page.getByRole('button', { name: 'Create the account' }).click()
  await stranger.page.getByRole('alert').waitFor()
  await stranger.context.close()
})

test('an authorization is captured in part, and another is voided', async () => {
  const [first, second] = await Promise.all([client.createOrder(), client.createOrder()])
  const held = await client.pay(first.number, token, { type: 'Authorization' })
  await visit(page, `${url}/transactions/${held.data.transaction.uuid}`)
  await page.getByRole('button', { name: 'Capture', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Amount to capture' }).fill('40')
  await dialog.getByText(/40\.00 HKD is charged to .*4444/).waitFor()
  await dialog.getByRole('button', { name: 'Capture 40.00 HKD' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await client.checkOrder(first.number)).toMatchObject({ paid_total: '40.00' })

  const voided = await client.pay(second.number, token, { type: 'Authorization' })
  await visit(page, `${url}/transactions/${voided.data.transaction.uuid}`)
  await confirm('Void', /The hold of 100\.00 HKD .* is released/, /^Void 100\.00 HKD/)
  const { transactions } = (await client.checkOrder(second.number)) as {
    transactions: { uuid: string; payment_data: { transaction_state: string } }[]
  }
  expect(transactions[0]?.payment_data.transaction_state).toBe('voided')
})

test('the unpaid order of a plan is charged again, and the plan is canceled at once', async () => {
  const payer = await client.createCustomer()
  await client.bindCard(payer.uuid, '4000000000000341', { default: true })
  const plan = await client.createPlan({
    customer_uuid: payer.uuid,
    recurring_cycles: monthly(await client.createItem(80)),
  })
  await client.advanceBy('PT1M')
  await client.bindCard(payer.uuid, '4242424242424242', { default: true })
  await visit(page, `${url}/plans/${plan.id}`)
  await confirm('Retry now', /80\.00 HKD/, /Retry now/)
  const state = async () =>
    (await client.ok('GET', `/svc/payment/api/v1/openapi/recurring_payments/plan/${plan.id}`)).plan.state
  await expect.poll(state).toBe('active')
  await confirm('Cancel', /No orders are made/, /Cancel now/, 'At once')
  expect(await state()).toBe('canceled')
})

/** Begins the export of the orders that have this amount. */
async function exportOrders(amount: number) {
  await visit(page, `${url}/orders?filter=${encodeURIComponent(`initial_total = ${amount}`)}`)
  await page.getByText('1 row', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Start export' }).click()
}

function expectOrder(csv: string, number: string): void {
  const lines = csv.trim().split('\n')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toContain('correspondence_state')
  expect(lines[1]).toContain(number)
}

test('a filtered list is written to the file that was chosen, with every column that the API has', async () => {
  await page.evaluate(`window.showSaveFilePicker = async ({ suggestedName }) => ({
    createWritable: async () => {
      const text = new TextDecoder()
      window.saved = { name: suggestedName, text: '', isClosed: false }
      return new WritableStream({
        write: (chunk) => { window.saved.text += text.decode(chunk, { stream: true }) },
        close: () => { window.saved.isClosed = true },
      })
    },
  })`)
  const order = await client.createOrder({ initial_total: 776 })
  await exportOrders(776)
  await page.getByText(/^Done: 1 rows?/).waitFor()
  expect(await seriousFaults(page)).toEqual([])
  const saved = await page.evaluate<{ name: string; text: string; isClosed: boolean }>('window.saved')
  expect(saved).toMatchObject({ name: expect.stringMatching(/^orders-test-.*\.csv$/), isClosed: true })
  expectOrder(saved.text, order.number)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('a browser in which pages cannot write files saves a list and the audit log itself', async () => {
  await page.evaluate('delete window.showSaveFilePicker; delete Window.prototype.showSaveFilePicker')
  const order = await client.createOrder({ initial_total: 777 })
  const list = page.waitForEvent('download')
  await exportOrders(777)
  await page.getByText('Your browser shows how far it is.').waitFor()
  expect((await list).url()).toContain('/console/downloads/')
  expectOrder(await readFile(await (await list).path(), 'utf8'), order.number)
  expect(await seriousFaults(page)).toEqual([])
  await visit(page, `${url}/audit`)
  const log = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export the whole log' }).click()
  expect(await readFile(await (await log).path(), 'utf8')).toMatch(/^sequence,/)
})

test('no page wrote an error', () => {
  expect(pageErrors).toEqual([])
})

// Proves reference/billing-catalogue#products, reference/billing-catalogue#prices, reference/billing-catalogue#versions.
test('a product gets a price in tiers, a plan takes it, and a new version replaces it', async () => {
  await visit(page, `${url}/products`)
  await page.getByRole('button', { name: 'Add product' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Team')
  await dialog.getByRole('textbox', { name: 'Unit' }).fill('seat')
  expect(await seriousFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Add product' }).click()
  await page.getByRole('heading', { name: 'Team', level: 1 }).waitFor()

  await page.getByRole('button', { name: 'Add price' }).click()
  await dialog.getByRole('combobox', { name: 'Model' }).click()
  await page.getByRole('option', { name: 'Graduated' }).click()
  await dialog.getByRole('button', { name: 'Add a tier' }).click()
  await dialog.getByRole('textbox', { name: 'Up to' }).first().fill('10')
  const amounts = dialog.getByRole('textbox', { name: 'Unit price' })
  await amounts.nth(0).fill('9')
  await amounts.nth(1).fill('7.505')
  expect(await seriousFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Add price' }).click()
  await page.getByText('from 9.00 HKD per unit, graduated in 2 tiers').waitFor()

  await visit(page, `${url}/plans/new?customer=${customer.uuid}`)
  await page.getByRole('combobox', { name: 'Add an item' }).click()
  await page.getByRole('option', { name: /^Team · from 9\.00 HKD/ }).waitFor()

  await visit(page, `${url}/products`)
  await page.getByRole('link', { name: 'Team' }).first().click()
  await page.getByRole('button', { name: 'New version' }).click()
  await dialog.getByText('Plans that have the price keep it.').waitFor()
  await amounts.nth(1).fill('8')
  await dialog.getByRole('button', { name: 'Make version' }).click()
  await page.getByText('Superseded').waitFor()
  expect(await seriousFaults(page)).toEqual([])
  const { prices } = await client.ok('GET', '/svc/billing/api/v1/openapi/prices')
  expect(prices[0]).toMatchObject({ version: 2, tiers: [{ unit_amount: 9 }, { unit_amount: 8 }] })

  await confirm('Archive', /New plans cannot take its prices/, /^Archive product$/)
  await page.getByText('Archived', { exact: true }).first().waitFor()
  await visit(page, `${url}/plans/new?customer=${customer.uuid}`)
  await page.getByRole('combobox', { name: 'Add an item' }).click()
  await page.getByRole('option').first().waitFor()
  expect(await page.getByRole('option', { name: /^Team/ }).count()).toBe(0)
})

// Proves reference/billing-coupons#coupons, reference/billing-coupons#promotion-codes, reference/billing-coupons#attaching.
test('a coupon gets a promotion code, and a plan gets the coupon by it and loses it', async () => {
  const { product } = await client.ok('POST', '/svc/billing/api/v1/openapi/products', {
    product: { name: 'Desk' },
  })
  const { price } = await client.ok('POST', '/svc/billing/api/v1/openapi/prices', {
    price: { product_id: product.id, currency: 'HKD', model: 'flat', unit_amount: 100 },
  })
  const plan = await client.createPlan({
    customer_uuid: customer.uuid,
    start_date: '2090-01-01',
    recurring_cycles: monthly(price.id),
  })
  await visit(page, `${url}/coupons`)
  await page.getByRole('button', { name: 'Add coupon' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Spring')
  await dialog.getByRole('textbox', { name: 'Percent' }).fill('25')
  await dialog.getByRole('textbox', { name: 'Periods' }).fill('3')
  expect(await seriousFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Add coupon' }).click()
  await page.getByRole('heading', { name: 'Spring', level: 1 }).waitFor()
  await page.getByText('25% off, 3 periods').waitFor()

  await page.getByRole('button', { name: 'Add code' }).click()
  await dialog.getByRole('textbox', { name: 'Code' }).fill('SPRING')
  expect(await seriousFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Add code' }).click()
  await page.getByText('SPRING').first().waitFor()

  await visit(page, `${url}/plans/${plan.id}`)
  await page.getByRole('button', { name: 'Attach coupon' }).click()
  await dialog.getByRole('textbox', { name: 'Or a promotion code' }).fill('spring')
  expect(await seriousFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Attach' }).click()
  await page.getByText('25% off, 3 periods · no period lowered yet · SPRING').waitFor()
  expect((await client.getPlan(plan.id)).coupons).toMatchObject([{ name: 'Spring', code: 'SPRING' }])

  await page.getByRole('button', { name: 'Detach' }).click()
  await dialog.getByText('The redemption is not given back.').waitFor()
  await dialog.getByRole('button', { name: 'Detach' }).click()
  await page.getByText('The plan has no coupon.').waitFor()
  expect((await client.getPlan(plan.id)).coupons).toEqual([])
})

// Proves reference/billing-dunning#policies, reference/billing-dunning#plans.
test('a dunning policy has other steps after insufficient funds, is edited, and is taken by a plan', async () => {
  await visit(page, `${url}/dunning-policies`)
  await page.getByRole('button', { name: 'Add policy' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Three tries')
  await dialog.getByRole('button', { name: 'Add a step' }).click()
  await dialog.getByRole('button', { name: 'Add other steps for some declines' }).click()
  expect(await seriousFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Add policy' }).click()
  await page.getByRole('heading', { name: 'Three tries', level: 1 }).waitFor()
  await page.getByText("7 days after the order, at the plan's time of day").waitFor()
  await page.getByRole('heading', { name: 'After: Insufficient funds' }).waitFor()

  await page.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByRole('combobox', { name: 'After the last attempt' }).click()
  await page.getByRole('option', { name: 'The plan is canceled' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The policy was saved.').waitFor()
  const { dunning_policies: policies } = await client.ok(
    'GET',
    '/svc/billing/api/v1/openapi/dunning_policies',
  )
  expect(policies[0]).toMatchObject({
    steps: [{ after_days: 3 }, { after_days: 7 }],
    soft: [{ decline_codes: ['insufficient_funds'], steps: [{ after_days: 3 }] }],
    exhausted: 'cancel',
  })

  await visit(page, `${url}/plans/new?customer=${customer.uuid}`)
  await page.getByRole('textbox', { name: 'Attempts in all' }).waitFor()
  await page.getByRole('combobox', { name: 'Dunning policy' }).click()
  await page.getByRole('option', { name: 'Three tries' }).click()
  await page.getByRole('textbox', { name: 'Attempts in all' }).waitFor({ state: 'detached' })
  expect(await seriousFaults(page)).toEqual([])
})
