import { afterAll, expect, test } from 'vitest'
import { screenshot, seriousFaults } from '../checkout-browser.ts'
import { CONSOLE_SCREENS, createUser, overflowOf, show, signedIn, startConsole } from './console-browser.ts'

const OWNER = 'owner@example.com'
const B = '/svc/billing/api/v1/openapi'
const scenario = await startConsole()
const { client, url } = scenario
await createUser(scenario, OWNER)
const visitor = await signedIn(scenario, OWNER)
const { page, context, quiet } = visitor
afterAll(() => context.close())

const at = (path: string) => `${url}${path}?environment=test`

test('the portal is set up in its page, and customers can sign in once links are mailed', async () => {
  await client.createItem(90, 'HKD', 'Basic')
  await show(visitor, at('/settings/portal'), 'Customer portal')
  const { portal: before } = await client.ok('GET', `${B}/portal`)
  await page.getByText(before.sign_in_url).waitFor()
  await page.getByRole('button', { name: 'Mail links' }).click()
  await page.getByText('Links are mailed as messages of the kind').waitFor()
  expect((await fetch(before.sign_in_url)).status).toBe(200)
  for (const label of [
    /^Read and download invoices/,
    /^Add and remove cards/,
    /^Pause plans/,
    /^Cancel plans/,
  ])
    await page.getByRole('checkbox', { name: label }).check()
  await page.getByLabel('At most, in days').fill('60')
  const reasons = page.getByRole('combobox', { name: 'Reasons' })
  await reasons.fill('Too expensive')
  await reasons.press('Enter')
  await page.getByLabel('Return address').fill('https://shop.example.com/account')
  await page.getByRole('checkbox', { name: 'Change plans' }).check()
  await page.getByRole('combobox', { name: 'Prices to choose from' }).click()
  await page.getByRole('option', { name: /Basic/ }).first().click()
  await page.keyboard.press('Escape')
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'console-portal')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The settings were saved.').waitFor()
  await quiet()
  const { portal } = await client.ok('GET', `${B}/portal`)
  expect(portal).toMatchObject({
    return_url: 'https://shop.example.com/account',
    allow: {
      invoices: true,
      payment_methods: { remove_last: false },
      billing_details: false,
      pause: { max_days: 60 },
      cancel: { reasons: ['Too expensive'] },
      change: { at: 'now' },
    },
  })
})

test('support gives a customer a link by mail, and sees what the customer sees', async () => {
  const customer = await client.createCustomer({ name: 'Ada Lovelace', email: 'ada@example.com' })
  await show(visitor, at(`/customers/${customer.uuid}`), 'Ada Lovelace')
  await page.getByRole('button', { name: 'Portal link' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox').check()
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'console-portal-link')
  await dialog.getByRole('button', { name: 'Make the link' }).click()
  const link = await page.getByRole('textbox', { name: 'Portal link' }).inputValue()
  await page.getByText('The link is being mailed to the customer.').waitFor()
  const { messages } = await client.ok('GET', `${B}/messages`)
  expect(messages[0]).toMatchObject({ kind: 'portal_link', to: 'ada@example.com' })
  expect((await fetch(link)).status).toBe(200)
  await dialog.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('button', { name: 'As the customer sees it' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  const [portal] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Open the portal' }).click(),
  ])
  await portal.getByRole('button').click()
  await portal.getByText('You see what the customer sees. Nothing can be changed.').waitFor()
  await portal.close()
})

test.each(Object.entries(CONSOLE_SCREENS))('the page can be read by everybody (%s)', async (name, screen) => {
  const other = await signedIn(scenario, OWNER, screen)
  await show(other, at('/settings/portal'), 'Customer portal')
  expect(await seriousFaults(other.page)).toEqual([])
  expect(await overflowOf(other.page)).toBe(0)
  await screenshot(other.page, `console-portal-${name}`)
  await other.context.close()
})
