import { afterAll, expect, test } from 'vitest'
import { screenshot, seriousFaults } from '../checkout-browser.ts'
import {
  CONSOLE_SCREENS,
  createUser,
  newVisitor,
  PASSWORD,
  signedIn,
  startConsole,
  visit,
} from './console-browser.ts'
import { AIRWALLEX } from '../harness/twin-of-airwallex.ts'
import { ACCOUNTS, startBank } from '../harness/twins.ts'

const EMAIL = 'owner@example.com'
const KEYS = '/svc/account/api/v1/openapi/api_keys'
const scenario = await startConsole({ ALLOW_PRIVATE_WEBHOOKS: '1' })
const { client, service, url } = scenario
await createUser(scenario, EMAIL)
const desktop = await signedIn(scenario, EMAIL)
const phone = await signedIn(scenario, EMAIL, CONSOLE_SCREENS['dark phone'])
afterAll(() => Promise.all([desktop.context.close(), phone.context.close()]))

// Proves reference/billing-reports#exports.
test('the accounts of files for bookkeeping are entered, and stay as they were in a second edit', async () => {
  const settings = async () => (await client.ok('GET', '/svc/billing/api/v1/openapi/settings')).settings
  for (const { page } of [phone, desktop]) {
    await visit(page, `${url}/settings/billing`)
    const section = page.getByRole('region', { name: 'Bookkeeping' })
    await section.getByLabel('Receivables').fill('1400')
    await section.getByLabel('Bank', { exact: true }).fill('1200')
    await section.getByLabel('Disputes').fill('1361')
    if (page === phone.page) {
      await section.getByRole('button', { name: 'Add a revenue account' }).click()
      const row = section.getByRole('group', { name: 'Revenue 1' })
      await row.getByLabel('Rate in %').fill('19')
      await row.getByLabel('Account').fill('8400')
      await row.getByLabel('Tax key').fill('3')
    }
    await section.getByLabel('Consultant number').fill('1234567')
    await section.getByLabel('Client number').fill('42')
    expect(await seriousFaults(page)).toEqual([])
    await screenshot(page, 'accounts of bookkeeping')
    await section.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The settings were saved.').waitFor()
    expect(await settings()).toMatchObject({
      accounts: {
        receivables: '1400',
        bank: '1200',
        cash: null,
        disputes: '1361',
        revenue: [{ percentage: 19, treatment: 'taxed', account: '8400', tax_key: '3' }],
        tax: [],
      },
      datev: { consultant: 1_234_567, client: 42, fiscal_year_start: '01-01', account_length: 4 },
    })
  }
})

// Proves reference/billing-transfers#write-offs.
test('what a transfer may lack is entered by currency, once for each', async () => {
  const { page } = desktop
  await visit(page, `${url}/settings/billing`)
  const section = page.getByRole('region', { name: 'New plans and invoices' })
  const add = section.getByRole('button', { name: 'Add a limit for write-offs' })
  const save = section.getByRole('button', { name: 'Save' })
  const enter = async (limit: string, currency: string, amount: string) => {
    await add.click()
    const row = section.getByRole('group', { name: limit })
    await row.getByLabel('Currency').fill(currency)
    await row.getByLabel('At most').fill(amount)
    return row
  }
  await enter('Limit 1', 'eur', '0.50')
  const again = await enter('Limit 2', 'EUR', '1')
  await again.getByText('This currency has a limit already.').waitFor()
  await again.getByLabel('Currency').fill('JPY')
  await again.getByLabel('At most').fill('0.5')
  await again.getByText('Enter an amount with at most the decimals of JPY.').waitFor()
  await again.getByLabel('At most').fill('30')
  expect(await seriousFaults(page)).toEqual([])
  await save.click()
  await page.getByText('The settings were saved.').waitFor()
  const settings = async () => (await client.ok('GET', '/svc/billing/api/v1/openapi/settings')).settings
  expect((await settings()).write_off_up_to).toEqual({ EUR: 0.5, JPY: 30 })
  await visit(page, `${url}/settings/billing`)
  await section.getByRole('button', { name: 'Remove Limit 2' }).click()
  await save.click()
  await expect.poll(async () => (await settings()).write_off_up_to).toEqual({ EUR: 0.5 })
})

test('on a phone a new API key is shown once, works, and is refused once it is revoked', async () => {
  const { page } = phone
  await visit(page, `${url}/settings/api-keys`)
  await page.getByRole('button', { name: 'Create a key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Shop on a phone')
  await dialog.getByRole('button', { name: 'Online shop' }).click()
  expect(await dialog.getByLabel('payments:write').isChecked()).toBe(true)
  expect(await dialog.getByLabel('recurring:read').isChecked()).toBe(false)
  expect(await seriousFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Create a key' }).click()
  const key = await page.getByRole('textbox', { name: 'Your new API key' }).inputValue()
  const status = async () =>
    (
      await fetch(`${service.sandbox.base_url}/svc/payment/api/v1/openapi/orders`, {
        headers: { authorization: `Bearer ${key}` },
      })
    ).status
  expect(await status()).toBe(200)
  await page.getByRole('button', { name: 'I have saved it' }).click()
  expect(await page.content()).not.toContain(key)
  const row = page.getByRole('row', { name: 'Shop on a phone' })
  await row.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await row.getByText('Revoked').waitFor()
  expect(await status()).toBe(401)
})

// Proves reference/console#help.
test('Home lists what is to be set up until that is hidden, and a page leads to its help', async () => {
  const { page, context } = phone
  await visit(page, url)
  const list = page.getByRole('region', { name: /^Set up/ })
  await list.getByText('Done: Make an API key').waitFor()
  await list.getByRole('link', { name: 'Register a webhook' }).waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await list.getByRole('button', { name: 'Hide' }).click()
  await list.waitFor({ state: 'detached' })
  await visit(page, `${url}/settings/api-keys`)
  await page.getByRole('heading', { name: 'API keys' }).waitFor()
  await page.getByRole('link', { name: 'Help about this page' }).click()
  const help = await context.waitForEvent('page')
  await help.getByRole('heading', { name: 'Scopes' }).waitFor()
  expect(new URL(help.url()).hash).toBe('#scopes')
  expect(await seriousFaults(help)).toEqual([])
  await help.close()
})

test('API keys are filtered by a view and found by an id', async () => {
  const { page } = desktop
  const make = async (name: string) =>
    (await client.ok('POST', KEYS, { api_key: { name, scopes: ['payments:read'] } })).api_key
  const revoked = await make('Old shop')
  const kept = await make('New shop')
  await client.ok('DELETE', `${KEYS}/${revoked.id}`)
  await visit(page, `${url}/settings/api-keys`)
  await page.getByRole('row', { name: 'New shop' }).waitFor()
  await page.getByRole('button', { name: 'Revoked', exact: true }).click()
  await page.getByRole('row', { name: 'New shop' }).waitFor({ state: 'detached' })
  await page.getByRole('row', { name: 'Old shop' }).getByText('Revoked').waitFor()
  await visit(page, `${url}/find/${kept.id}`)
  await page.getByText('1 row', { exact: true }).waitFor()
  await page.getByRole('row', { name: 'New shop' }).waitFor()
  expect(await seriousFaults(page)).toEqual([])
})

test('a webhook endpoint is added, gets a new secret and is deleted', async () => {
  const { page } = desktop
  await visit(page, `${url}/settings/webhooks`)
  await page.getByRole('button', { name: 'Add an endpoint' }).first().click()
  await page.getByLabel('Address').fill('https://shop.example.com/hook')
  await page.getByRole('dialog').getByRole('button', { name: 'Add an endpoint' }).click()
  const secret = page.getByRole('textbox', { name: 'Signing secret' })
  const first = await secret.inputValue()
  expect(first).toMatch(/^whsec_/)
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Deliveries' }).waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'New secret' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click()
  expect(await secret.inputValue()).not.toBe(first)
  await page.getByRole('button', { name: 'I have saved it' }).click()
  const { endpoints } = await client.ok('GET', '/svc/event/api/v1/openapi/endpoints')
  await visit(page, `${url}/find/${endpoints[0].id}`)
  await page.getByText('1 row', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect
    .poll(async () => (await client.ok('GET', '/svc/event/api/v1/openapi/endpoints')).endpoints.length)
    .toBe(0)
})

test('name, currency and time zone of the business are set on a page, and it says why a zone stays', async () => {
  const { page } = desktop
  await visit(page, `${url}/settings/business`)
  await page.getByLabel('Name', { exact: true }).fill('Celadon Kilns')
  await page.getByRole('combobox', { name: 'Currency' }).click()
  await page.getByRole('option', { name: 'EUR', exact: true }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The business is saved.').waitFor()
  await page.getByRole('button', { name: /Celadon Kilns/ }).waitFor()
  const path = '/svc/account/api/v1/openapi/business'
  expect((await client.ok('GET', path)).business).toMatchObject({ name: 'Celadon Kilns', currency: 'EUR' })
  const { uuid } = await client.createCustomer()
  const { token } = await client.bindCard(uuid, '4242424242424242')
  await client.pay((await client.createOrder({ customer_uuid: uuid })).number, token)
  await page.getByRole('combobox', { name: 'Time zone' }).click()
  await page.getByRole('option', { name: 'Europe/Paris' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('payments are counted by its days').waitFor()
  expect(await seriousFaults(page)).toEqual([])
})

test('the branding that is saved is what the API returns', async () => {
  const { page } = desktop
  await visit(page, `${url}/settings/branding`)
  await page.getByLabel('Name', { exact: true }).fill('Celadon & Co.')
  await page.getByRole('textbox', { name: 'Colour' }).fill('#116644')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The branding is saved.').waitFor()
  const { branding } = await client.ok('GET', '/svc/account/api/v1/openapi/branding')
  expect(branding).toMatchObject({ display_name: 'Celadon & Co.', color: '#116644' })
})

test('an acquirer that refuses the credentials is named in the dialog', async () => {
  const { page } = desktop
  await visit(page, `${url}/settings/acquirers`)
  await page.getByRole('button', { name: 'Connect an account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Stripe HK')
  for (const label of ['Secret key', 'Publishable key', 'Webhook secret']) {
    await dialog.getByLabel(label, { exact: true }).fill('not-a-key')
  }
  await dialog.getByRole('button', { name: 'Connect an account' }).click()
  await dialog.getByRole('alert').getByText('req_').waitFor()
  expect(await seriousFaults(page)).toEqual([])
})

// Proves reference/acquirers#apple-pay.
test('the domain file for Apple Pay is pasted into an account, which says why its domain is not registered', async () => {
  const { page } = desktop
  const bank = await startBank(AIRWALLEX)
  await bank.connect(client, { name: 'Hong Kong' })
  // The console has just read the accounts, and does not know of this one.
  await page.goto(`${url}/settings/acquirers`)
  const open = () =>
    page.getByRole('row', { name: 'Hong Kong' }).getByRole('button', { name: 'Open' }).click()
  const dialog = page.getByRole('dialog')
  await open()
  await dialog.getByRole('button', { name: 'Change' }).click()
  await dialog.getByLabel('Domain file for Apple Pay').fill('7B22\n')
  expect(await seriousFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await open()
  await dialog.getByText('Nothing is registered').waitFor()
  await dialog.getByRole('button', { name: 'Change' }).click()
  expect(await dialog.getByLabel('Domain file for Apple Pay').inputValue()).toBe('7B22')
  await dialog.getByLabel('Domain file for Apple Pay').fill('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { acquirer_accounts: accounts } = await client.ok('GET', ACCOUNTS)
  expect(accounts.map((account: object) => 'apple_pay_domain' in account)).toEqual([false])
})

test('on a phone a person who is invited joins with the role that was chosen', async () => {
  const email = 'support@example.com'
  const { page } = phone
  await visit(page, `${url}/settings/people`)
  await page.getByRole('button', { name: 'Invite' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('E-mail address').fill(email)
  await dialog.getByLabel('Role in live').first().click()
  await page.getByRole('option', { name: 'Support' }).click()
  await dialog.getByRole('button', { name: 'Invite' }).click()
  const link = await page.getByRole('textbox', { name: 'Invitation link' }).inputValue()
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByText(email).waitFor()

  const guest = await newVisitor(scenario, CONSOLE_SCREENS['dark phone'])
  await guest.page.goto(link.replace('127.0.0.1', 'localhost'))
  await guest.page.getByLabel('Your name').fill('Sam')
  await guest.page.getByLabel('New password').fill(PASSWORD)
  expect(await seriousFaults(guest.page)).toEqual([])
  await guest.page.getByRole('button', { name: 'Accept the invitation' }).click()
  await guest.page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()

  await page.reload()
  const row = page.getByRole('row', { name: email })
  expect(await row.innerText()).toContain('Support')
  await row.getByRole('button', { name: 'Remove Sam' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await row.waitFor({ state: 'detached' })
  await guest.page.reload()
  await guest.page.getByText('You are not a member of any business.').waitFor()
  await guest.context.close()
})
