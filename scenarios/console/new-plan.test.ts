import { afterAll, expect, test } from 'vitest'
import { screenshot, seriousFaults } from '../checkout-browser.ts'
import { CONSOLE_SCREENS, createUser, overflowOf, signedIn, startConsole } from './console-browser.ts'

const OWNER = 'owner@example.com'
const BILLING = '/svc/billing/api/v1/openapi'
const scenario = await startConsole()
const { client, url } = scenario
await createUser(scenario, OWNER)
const { page, context, pageErrors, quiet } = await signedIn(scenario, OWNER)
afterAll(() => context.close())

const customer = await client.createCustomer({ name: 'Wong Siu Ming' })
await client.bindCard(customer.uuid, '4242424242424242', { default: true })
await client.createItem(100)
const coupon = async (members: object) =>
  (await client.ok('POST', `${BILLING}/coupons`, { coupon: members })).coupon
const spring = await coupon({ name: 'Spring', percent_off: 25, times: 2 })
const ten = await coupon({ name: 'Ten', amount_off: 10, currency: 'HKD' })
await client.ok('POST', `${BILLING}/promotion_codes`, {
  promotion_code: { coupon_id: ten.id, code: 'TENNER' },
})
const { dunning_policy: policy } = await client.ok('POST', `${BILLING}/dunning_policies`, {
  dunning_policy: { name: 'Two tries', steps: [{ after_days: 3 }] },
})

async function choose(field: string, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name: field, exact: true }).click()
  await page.getByRole('option', { name: option }).first().click()
}

// Proves reference/recurring#preview, reference/billing-lifecycle#trials, reference/billing-lifecycle#terms, reference/billing-coupons#attaching, reference/billing-dunning#plans.
test('a plan is described beside the orders that it will make, and is made with all that was chosen', async () => {
  await page.goto(`${url}/plans/new?customer=${customer.uuid}`)
  const preview = page.getByRole('region', { name: 'What it will bill' })
  const create = preview.getByRole('button', { name: 'Create plan' })
  await preview.getByText('Fill in the form').waitFor()
  expect(await create.isDisabled()).toBe(true)
  await page.getByRole('textbox', { name: 'Name' }).fill('Silver')
  await choose('Add an item', /Membership/)
  await preview.getByText('The next 12 orders').waitFor()
  expect(await preview.getByRole('row').nth(1).innerText()).toMatch(/1 × Membership\s+100\.00/)

  await choose('Trial', 'A number of days')
  await page.getByRole('textbox', { name: 'Days', exact: true }).fill('10')
  await page.getByRole('checkbox', { name: /only if the customer has a default card/ }).click()
  await choose('If there is no card at the end of the trial', 'Pause the plan')
  await page.getByRole('textbox', { name: 'Binds the customer for at least' }).fill('6')
  await page.getByRole('textbox', { name: 'Notice', exact: true }).fill('14')
  await choose('Notice: Unit', 'days')
  await page.getByRole('textbox', { name: 'Then renews for' }).fill('1')
  await choose('Then renews for: Unit', 'years')
  await choose('Dunning policy', 'Two tries')
  await choose('Coupons', /^Spring/)
  const coupons = page.getByRole('combobox', { name: 'Coupons', exact: true })
  await coupons.fill('NOBODYS')
  await page.getByRole('option', { name: 'Code NOBODYS' }).click()
  await preview.getByRole('alert').waitFor()
  expect(await create.isDisabled()).toBe(true)
  await coupons.press('Backspace')
  await coupons.fill('TENNER')
  await page.getByRole('option', { name: 'Code TENNER' }).click()
  await page.keyboard.press('Escape')
  await preview.getByText('Ten', { exact: false }).first().waitFor()
  await quiet()
  const first = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'Asia/Hong_Kong' }).format(
    (await client.now()).add({ hours: 240 }).epochMilliseconds,
  )
  const [second, third] = [preview.getByRole('row').nth(1), preview.getByRole('row').nth(3)]
  expect(await second.innerText()).toContain(first)
  expect(await second.innerText()).toMatch(/1 × Membership\s+Spring .25\.00.*\s+Ten .10\.00.*\s+65\.00/)
  expect(await third.innerText()).toMatch(/1 × Membership\s+Ten .10\.00.*\s+90\.00/)
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'new plan with everything')
  await page.setViewportSize(CONSOLE_SCREENS['dark phone'].viewport)
  await screenshot(page, 'new plan with everything on a phone')
  expect(await overflowOf(page)).toBe(0)

  await create.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(`The first order is made on ${first}`).waitFor()
  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/plan'),
  )
  await dialog.getByRole('button', { name: 'Create plan' }).click()
  expect(((await sent).postDataJSON() as { plan: object }).plan).toMatchObject({
    trial: { days: 10, token_required: true, without_token: 'pause' },
    coupons: [spring.id, 'TENNER'],
  })
  await page.getByRole('heading', { name: 'Silver', level: 1 }).waitFor()
  await page.getByText('minimum 6 months, notice 14 days, renewal 1 year').waitFor()
  const plan = await client.getPlan(page.url().match(/pln_\w+/)?.[0] ?? '')
  expect(plan).toMatchObject({
    state: 'upcoming',
    trial: { state: 'running' },
    terms: { minimum: 'P6M', notice: 'P14D', renewal: 'P1Y' },
    dunning_policy_id: policy.id,
    coupons: [
      { id: spring.id, code: null },
      { id: ten.id, code: 'TENNER' },
    ],
  })
})

test('no page wrote an error but that of the unknown code', () => {
  expect(pageErrors.filter((error) => !error.includes('status of 4'))).toEqual([])
})
