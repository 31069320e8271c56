import { afterAll, expect, test } from 'vitest'
import { screenshot, seriousFaults } from '../checkout-browser.ts'
import { CONSOLE_SCREENS, createUser, overflowOf, signedIn, startConsole } from './console-browser.ts'

const OWNER = 'owner@example.com'
const BILLING = '/svc/billing/api/v1/openapi'
const scenario = await startConsole()
const { client, url } = scenario
await createUser(scenario, OWNER)
const { page, context } = await signedIn(scenario, OWNER)
afterAll(() => context.close())

await client.ok('POST', `${BILLING}/legal_entities`, {
  legal_entity: {
    name: 'Kiln GmbH',
    address: { line1: 'Hauptstr. 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
    registrations: [],
  },
})
const [entity] = (await client.ok('GET', `${BILLING}/legal_entities`)).legal_entities

async function send(name: string, amount: number) {
  const customer = await client.createCustomer({ name })
  const { invoice } = await client.ok('POST', `${BILLING}/invoices`, {
    invoice: {
      customer_uuid: customer.uuid,
      currency: 'EUR',
      collection: 'send_invoice',
      legal_entity_id: entity.id,
      lines: [{ label: 'Set-up', quantity: 1, unit_amount: amount }],
    },
  })
  return invoice
}

const read = async (id: string) => (await client.ok('GET', `${BILLING}/invoices/${id}`)).invoice

test('a statement is uploaded, and what it leaves open is matched, ignored and undone', async () => {
  const [ada, grace, first, second] = [
    await send('Ada Lovelace', 100),
    await send('Grace Hopper', 250),
    await send('Katherine Johnson', 40),
    await send('Katherine Johnson the second', 60),
  ]
  const rows = [
    'booking_date,amount,currency,debtor_name,debtor_iban,remittance',
    `2027-06-15,100.00,EUR,Ada Lovelace,DE02120300000000202051,Invoice ${ada.number}`,
    '2027-06-15,250.00,EUR,"HOPPER, Grace",FR7630006000011234567890189,thank you',
    '2027-06-16,100.00,EUR,K. J. Bookkeeping,,two invoices',
    '2027-06-16,3.50,EUR,Pension fund,,refund of fees',
  ]
  const upload = async (content: string) => {
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('dialog').getByLabel('Statement').click()
    await (await chooser).setFiles({ name: 's.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
  }
  await page.goto(`${url}/bank-entries?environment=test`)
  await page.getByText('Nothing waits for you').waitFor()
  await page.getByRole('button', { name: 'Upload statement' }).click()
  const dialog = page.getByRole('dialog')
  await upload(`${rows[0]}\n2027-06-15,x,EUR,,,\n`)
  await dialog.getByText(/^Line 2 /).waitFor()
  await screenshot(page, 'upload refused')
  await upload(rows.join('\n'))
  await dialog.getByText('4 transfers in this statement').waitFor()
  await dialog.getByText('3 wait for you.').waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'upload result')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  expect(await read(ada.id)).toMatchObject({ state: 'paid' })

  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
  await row('Grace').getByText('Exactly what is due · Same name').waitFor()
  expect(await row('Ada').count()).toBe(0)
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'transfers to do')
  await row('Grace').getByRole('button', { name: 'Match' }).click()
  await page.getByText('The transfer was matched and booked.').waitFor()
  await row('Grace').waitFor({ state: 'detached' })
  expect(await read(grace.id)).toMatchObject({ state: 'paid' })

  await row('Pension').getByRole('button', { name: 'Ignore' }).click()
  await row('Pension').waitFor({ state: 'detached' })
  await page.getByText('The transfer was ignored.').waitFor()
  await page.getByRole('alert').filter({ hasText: 'ignored' }).getByRole('button', { name: 'Undo' }).click()
  await row('Pension').waitFor()

  await row('K. J.').getByRole('button', { name: 'Find invoice' }).click()
  const search = dialog.getByRole('textbox', { name: 'Find an open invoice' })
  await search.fill(first.number)
  await dialog.getByRole('checkbox', { name: new RegExp(first.number) }).check()
  await search.fill('Johnson')
  await dialog.getByRole('checkbox', { name: new RegExp(second.number) }).check()
  await dialog.getByText('0.00 EUR of 100.00 EUR are left').waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'match by hand')
  await dialog.getByRole('button', { name: 'Match 100.00 EUR' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect([await read(first.id), await read(second.id)]).toMatchObject([{ state: 'paid' }, { state: 'paid' }])

  await page.getByRole('button', { name: 'Matched', exact: true }).click()
  await row('K. J.').waitFor()
  await screenshot(page, 'transfers matched')
  await row('K. J.').getByRole('link').first().click()
  await page.getByRole('heading', { name: 'Transfer of 100.00 EUR', level: 1 }).waitFor()
  const paid = page.getByRole('group', { name: 'Invoice', exact: true })
  await paid.getByRole('link', { name: 'Katherine Johnson', exact: true }).waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'transfer')
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await page.getByText('Not matched').or(page.getByText('Suggested')).first().waitFor()
  expect(await read(first.id)).toMatchObject({ state: 'open', amount_due: 40 })

  await page.getByRole('link', { name: 'Show the statement' }).click()
  await page.getByRole('heading', { name: /^Statement imported on/, level: 1 }).waitFor()
  await page.getByRole('group', { name: 'New transfers' }).getByText('Pension fund').waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'statement')

  const phone = await signedIn(scenario, OWNER, CONSOLE_SCREENS['dark phone'])
  await phone.page.goto(`${url}/bank-entries?environment=test`)
  await phone.page.getByText('Pension fund').waitFor()
  expect(await overflowOf(phone.page)).toBe(0)
  await screenshot(phone.page, 'transfers on a phone')
  await phone.context.close()
})
