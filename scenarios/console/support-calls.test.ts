import type { Locator } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { screenshot, seriousFaults } from '../checkout-browser.ts'
import { monthly, PAYMENTS } from '../harness/client.ts'
import { createUser, show, signedIn, startConsole } from './console-browser.ts'

const AGENT = 'agent@example.com'
const BILLING = '/svc/billing/api/v1/openapi'
const scenario = await startConsole()
const { client, url } = scenario
await createUser(scenario, AGENT, 'support')
const visitor = await signedIn(scenario, AGENT)
const { page, context, pageErrors } = visitor
afterAll(() => context.close())

const customer = await client.createCustomer({ name: 'Ada Lovelace', email: 'ada@example.com' })
const { token } = await client.bindCard(customer.uuid, '4242424242424242', { default: true })
const item = await client.createItem(80)
const plan = await client.createPlan({
  customer_uuid: customer.uuid,
  recurring_cycles: monthly(item, 2),
})
await client.advanceBy('PT1M')
await client.ok('PUT', `${BILLING}/portal`, { portal: { allow: { payment_methods: true } } })

const dialog = page.getByRole('dialog')
let clicks = 0
async function click(locator: Locator): Promise<void> {
  await locator.click()
  clicks++
}

/** Takes a call: finds the caller by name, and counts the clicks until it is done. */
async function call(work: () => Promise<void>): Promise<number> {
  clicks = 0
  await show(visitor, `${url}/?environment=test`, 'Home')
  await page.keyboard.type('/ada lov')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Ada Lovelace', level: 1 }).waitFor()
  await visitor.quiet()
  await work()
  await dialog.waitFor({ state: 'detached' })
  return clicks
}

const button = (name: string) => page.getByRole('button', { name, exact: true }).first()
const inDialog = (name: string | RegExp) => dialog.getByRole('button', { name, exact: true })

async function pay(amount: number): Promise<string> {
  const { number } = await client.createOrder({ customer_uuid: customer.uuid, initial_total: amount })
  await client.pay(number, token)
  return number
}

const refunded = async (number: string) => (await client.checkOrder(number)).refunded_total

/** Opens the newest payment of the customer and refunds it, or a part of it. */
async function refund(amount: string, part?: string): Promise<void> {
  await click(page.getByRole('group', { name: 'Payments' }).getByRole('link', { name: amount }).first())
  await click(button('Refund'))
  if (part !== undefined) await dialog.getByRole('textbox', { name: 'Amount to refund' }).fill(part)
  await click(inDialog(new RegExp(`^Refund ${part ?? amount}`)))
}

// Proves reference/users#roles, reference/billing-tax#billing-details, reference/portal#sessions.
test('six calls to support are done in the browser in a few clicks, by the role support', async () => {
  const counted: Record<string, number> = {}
  const [first, second, third] = [await pay(55), await pay(55), await pay(90)]
  counted['charged twice'] = await call(() => refund('55.00'))
  expect([await refunded(first), await refunded(second)]).toEqual(['0.00', '55.00'])

  counted['change my card'] = await call(async () => {
    await click(button('Card link'))
    await click(inDialog('Make the link'))
    const link = await dialog.getByLabel('Address for the customer').inputValue()
    expect(await (await fetch(link)).text()).toContain('<form')
    await screenshot(page, 'card-link')
    await page.keyboard.press('Escape')
  })
  await button('Card link').click()
  await dialog.getByRole('checkbox', { name: 'Also send it to the customer by e-mail' }).check()
  await inDialog('Make the link').click()
  await dialog.getByLabel('Address for the customer').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  const { messages } = await client.ok('GET', `${BILLING}/messages?filter=kind=portal_link`)
  expect(messages).toMatchObject([{ to: 'ada@example.com', customer_uuid: customer.uuid }])

  const openPlan = () => click(page.getByRole('link', { name: 'Monthly' }).first())
  counted['downgrade'] = await call(async () => {
    await openPlan()
    await page.getByText('2 × Membership').first().waitFor()
    await click(button('Change'))
    await dialog.getByLabel('Quantity').fill('1')
    await click(dialog.getByRole('radio', { name: 'With the next period' }))
    await click(inDialog('Schedule the change'))
  })
  counted['cancel at the end'] = await call(async () => {
    await openPlan()
    await click(button('Cancel'))
    await click(inDialog("Cancel at the period's end"))
  })
  expect(await client.getPlan(plan.id)).toMatchObject({ state: 'active', cancel_at: expect.any(String) })

  counted['VAT id'] = await call(async () => {
    await click(page.getByRole('region', { name: 'Billing details' }).getByRole('button', { name: 'Edit' }))
    await click(inDialog('Add a tax id'))
    await dialog.getByRole('textbox', { name: /tax id/i }).fill('DE136695976')
    expect(await dialog.getByRole('combobox', { name: 'Tax', exact: true }).isDisabled()).toBe(true)
    await click(inDialog('Save'))
  })
  const { billing_details: details } = await client.ok(
    'GET',
    `${BILLING}/customers/${customer.uuid}/billing_details`,
  )
  expect(details.tax_ids).toMatchObject([{ type: 'vat', value: 'DE136695976' }])

  counted['refund half'] = await call(() => refund('90.00', '45.00'))
  expect(await refunded(third)).toBe('45.00')
  expect(counted).toEqual({
    'charged twice': 3,
    'change my card': 2,
    downgrade: 4,
    'cancel at the end': 3,
    'VAT id': 3,
    'refund half': 3,
  })
  expect(pageErrors).toEqual([])
})

// Proves reference/customers#notes, reference/customers#spend, reference/timelines#customers.
test('a page of a customer takes a note and an order with lines, and shows spend and timeline', async () => {
  await show(visitor, `${url}/customers/${customer.uuid}?environment=test`, 'Ada Lovelace')
  await click(button('Add note'))
  await dialog.getByLabel('Note').fill('Wants mails in French')
  await click(inDialog('Save'))
  await dialog.waitFor({ state: 'detached' })
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByText('Wants mails in French').waitFor()
  const note = timeline.getByRole('listitem').filter({ hasText: 'Wants mails in French' })
  await note.getByText(/^by agent$/i).waitFor()
  const { spend } = await client.ok('GET', `${PAYMENTS}/customers/${customer.uuid}/spend`)
  await page.getByRole('region', { name: 'Details' }).getByText(String(spend[0].paid_total)).waitFor()
  await timeline.getByRole('button', { expanded: false }).first().click()
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'customer-of-support')

  await click(button('New order'))
  await dialog.getByLabel('What is paid for').fill('Teapot')
  await dialog.getByLabel('Quantity').fill('3')
  await dialog.getByLabel('Amount of one').fill('12.50')
  await click(inDialog('Add a line'))
  await dialog.getByLabel('What is paid for').nth(1).fill('Delivery')
  await dialog.getByLabel('Amount of one').nth(1).fill('5')
  await dialog.getByText('42.50').waitFor()
  await click(dialog.getByRole('combobox', { name: 'The link ends' }))
  await click(page.getByRole('option', { name: 'after a week' }))
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'new-order')
  await click(inDialog('Create order'))
  await dialog.getByLabel('Address for the payer').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: '42.50 HKD', level: 1 }).waitFor()
  const [, number = ''] = /orders\/(ord_\w+)/.exec(page.url()) ?? []
  expect(await client.checkOrder(number)).toMatchObject({
    customer_uuid: customer.uuid,
    timeout: { timer: 'P7D' },
    line_items: [{ quantity: 3 }, { label: 'Delivery' }],
  })
  expect(pageErrors).toEqual([])
})
