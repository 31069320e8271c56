import { readFile } from 'node:fs/promises'
import type { Locator } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { readZip } from '../../src/modules/invoices/testing/read-zip.ts'
import { runInProcess } from '../../src/commands/testing/run-in-process.ts'
import { screenshot, seriousFaults } from '../checkout-browser.ts'
import { CONSOLE_SCREENS, createUser, overflowOf, signedIn, startConsole, visit } from './console-browser.ts'

const OWNER = 'owner@example.com'
const BILLING = '/svc/billing/api/v1/openapi'
const scenario = await startConsole()
const { client, url } = scenario
await createUser(scenario, OWNER)
const { page, context } = await signedIn(scenario, OWNER)
const phone = await signedIn(scenario, OWNER, CONSOLE_SCREENS['dark phone'])
afterAll(() => Promise.all([context.close(), phone.context.close()]))

test('a seller, its settings and its tax rates are entered, and a wrong line of a CSV file is named', async () => {
  await visit(page, `${url}/settings/legal-entities?environment=test`)
  await page.getByRole('button', { name: 'Add legal entity' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Kiln GmbH')
  await dialog.getByRole('textbox', { name: 'Address', exact: true }).fill('Hauptstr. 1')
  await dialog.getByLabel('Postal code').fill('10115')
  await dialog.getByLabel('City').fill('Berlin')
  await dialog.getByRole('combobox', { name: 'Country' }).fill('Germany')
  await page.getByRole('option', { name: 'Germany (DE)' }).click()
  await dialog.getByRole('button', { name: 'Add a tax id' }).click()
  await dialog.getByRole('textbox', { name: 'Tax id 1' }).fill('DE136695976')
  await dialog.getByRole('button', { name: 'Add a tax registration' }).click()
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'new legal entity')
  await dialog.getByRole('button', { name: 'Add legal entity' }).click()
  await page.getByRole('heading', { name: 'Kiln GmbH', level: 1 }).waitFor()
  const { legal_entities: entities } = await client.ok('GET', `${BILLING}/legal_entities`)
  expect(entities).toMatchObject([
    { tax_ids: [{ value: 'DE136695976' }], registrations: [{ country: 'DE' }], address: { city: 'Berlin' } },
  ])

  await visit(page, `${url}/settings/billing`)
  await page.getByRole('combobox', { name: 'Legal entity' }).click()
  await page.getByRole('option', { name: 'Kiln GmbH' }).click()
  await page.getByRole('combobox', { name: 'Tax', exact: true }).click()
  await page.getByRole('option', { name: 'By the rates, for each order' }).click()
  const invoicing = page.getByRole('region', { name: 'New plans and invoices' })
  await invoicing.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The settings were saved.').waitFor()
  expect(await seriousFaults(page)).toEqual([])
  const { settings } = await client.ok('GET', `${BILLING}/settings`)
  expect(settings).toMatchObject({ legal_entity_id: entities[0].id, tax: 'automatic' })

  await visit(page, `${url}/settings/tax-rates`)
  await page.getByRole('button', { name: 'Import' }).click()
  const confirm = dialog.getByRole('button', { name: 'Import' })
  await confirm.hover()
  await page.getByRole('tooltip').getByText('First choose a file.').waitFor()
  const upload = async (percentage: string) => {
    const csv = `name,country,percentage,valid_from\nVAT,DE,${percentage},2020-01-01\n`
    const chooser = page.waitForEvent('filechooser')
    await dialog.getByLabel('CSV file').click()
    await (await chooser).setFiles({ name: 'rates.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  }
  await upload('190')
  await dialog.getByText(/^Line 2: /).waitFor()
  await confirm.hover()
  await page.getByRole('tooltip').getByText('First correct the file.').waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await upload('19')
  await dialog.getByText('The file is correct: 1 new rate, 0 already there.').waitFor()
  await confirm.click()
  await dialog.getByText('1 rate was imported, 0 were already there.').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('row', { name: /VAT/ }).getByText('19 %').waitFor()
})

test('an invoice is made, downloaded and credited, and what an electronic one lacks is named', async () => {
  const customer = await client.createCustomer()
  const { invoice } = await client.ok('POST', `${BILLING}/invoices`, {
    invoice: {
      customer_uuid: customer.uuid,
      currency: 'EUR',
      collection: 'send_invoice',
      lines: [{ label: 'Set-up', quantity: 2, unit_amount: 50 }],
    },
  })
  await visit(page, `${url}/invoices`)
  await page.getByRole('link', { name: invoice.number }).click()
  await page.getByRole('heading', { name: `Invoice ${invoice.number}`, level: 1 }).waitFor()
  expect(await page.getByRole('table', { name: 'Totals' }).innerText()).toMatch(
    /Net\s+100\.00 EUR\s+Tax\s+19\.00 EUR\s+Total\s+119\.00 EUR\s+Amount due\s+119\.00 EUR/,
  )
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'invoice')

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  await page.getByRole('menuitem', { name: 'PDF', exact: true }).click()
  const file = await downloading
  expect(file.suggestedFilename()).toBe(`${invoice.number}.pdf`)
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-')
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Download' }).click()
  await page.getByRole('menuitem', { name: 'UBL' }).click()
  await dialog.getByText('Address of the customer').waitFor()
  await dialog.getByRole('link', { name: 'Open the customer' }).click()

  const details = page.getByRole('region', { name: 'Billing details' })
  await details.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByRole('textbox', { name: 'Address', exact: true }).fill('Königsallee 5')
  await dialog.getByLabel('Postal code').fill('40212')
  await dialog.getByLabel('City').fill('Düsseldorf')
  await dialog.getByRole('combobox', { name: 'Country' }).fill('Germany')
  await page.getByRole('option', { name: 'Germany (DE)' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const read = await client.ok('GET', `${BILLING}/customers/${customer.uuid}/billing_details`)
  expect(read.billing_details.address).toMatchObject({ city: 'Düsseldorf', country: 'DE' })
  await page.getByRole('group', { name: 'Invoices' }).getByRole('link', { name: invoice.number }).click()

  await page.getByRole('button', { name: 'Issue credit note' }).click()
  await dialog.getByRole('radio', { name: 'An amount' }).click()
  await dialog.getByLabel('Amount with tax').fill('19')
  await dialog.getByLabel('Reason').fill('Late delivery')
  await dialog.getByText('What is due falls by 19.00 EUR.').waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'credit note dialog')
  await dialog.getByRole('button', { name: 'Credit 19.00 EUR' }).click()
  await page.getByRole('heading', { name: /^Credit note CN-/ }).waitFor()
  const after = await client.ok('GET', `${BILLING}/invoices/${invoice.id}`)
  expect(after.invoice).toMatchObject({ amount_due: 100, credited_total: 19 })

  await visit(page, `${url}/invoices`)
  await page.getByRole('button', { name: 'Download month' }).click()
  await page.evaluate('delete window.showSaveFilePicker; delete Window.prototype.showSaveFilePicker')
  await dialog.getByLabel('Month').selectOption(invoice.issue_date.slice(0, 7))
  await dialog.getByRole('radio', { name: 'PDF and UBL' }).click()
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'download month')
  const saving = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  const archive = await saving
  expect(archive.suggestedFilename()).toBe(`invoices-${invoice.issue_date.slice(0, 7)}.zip`)
  const names = [...readZip(await readFile(await archive.path())).keys()]
  expect(names.toSorted()).toEqual([
    `${after.invoice.number.replace('INV', 'CN')}.pdf`,
    `${invoice.number}.pdf`,
    'index.csv',
  ])

  await visit(phone.page, `${url}/invoices/${invoice.id}?environment=test`)
  await phone.page.getByRole('heading', { name: `Invoice ${invoice.number}` }).waitFor()
  expect(await overflowOf(phone.page)).toBe(0)
  await screenshot(phone.page, 'invoice on a phone')
})

// Proves reference/billing-invoices#lost-payments.
test('an invoice whose payment was lost is due in full, beside credit that its note gives once it is paid', async () => {
  // The payment is lost by a void, which is refused once it is settled, at the business's next midnight in Hong Kong.
  const tomorrow = (await client.now()).add({ hours: 24 }).toString().slice(0, 10)
  await client.advanceTo(`${tomorrow}T01:00:00Z`)
  const { uuid } = await client.createCustomer()
  await client.bindCard(uuid, '4242424242424242', { default: true })
  const item = await client.createItem(60, 'EUR')
  const { legal_entities: entities } = await client.ok('GET', `${BILLING}/legal_entities`)
  await client.createPlan({
    customer_uuid: uuid,
    invoicing: { legal_entity_id: entities[0].id, tax: 'none' },
    recurring_cycles: [
      {
        billing_count: null,
        recurring_billing_config: 'FREQ=MONTHLY',
        recurring_items: [{ recurring_item_id: item, quantity: 1 }],
      },
    ],
  })
  await client.advanceBy('PT1H')
  const filter = encodeURIComponent(`customer.uuid = ${uuid}`)
  const { invoices } = await client.ok('GET', `${BILLING}/invoices?filter=${filter}`)
  const [{ id, number, order_number: order }] = invoices
  const credit_note = { reason: 'Goodwill', amount: 60, refund: 'credit' }
  await client.ok('POST', `${BILLING}/invoices/${id}/credit_notes`, { credit_note })
  const totals = page.getByRole('table', { name: 'Totals' })
  const showTotals = async (last: RegExp) => {
    await page.goto(`${url}/invoices/${id}?environment=test`)
    await page.getByRole('heading', { name: `Invoice ${number}`, level: 1 }).waitFor()
    await totals.getByRole('row', { name: last }).waitFor()
    return totals.innerText()
  }
  expect(await showTotals(/^Credit for later bills/)).toMatch(
    /Total\s+60\.00 EUR\s+Paid\s+60\.00 EUR\s+Amount due\s+0\.00 EUR\s+Credit for later bills\s+60\.00 EUR$/,
  )
  await screenshot(page, 'invoice whose note gave credit')

  const { transactions } = await client.checkOrder(order)
  await client.ok('POST', '/svc/payment/api/v1/openapi/transactions/void', {
    transaction: { uuid: transactions[0].uuid },
  })
  expect(await showTotals(/^Credit for later bills, once paid/)).toMatch(
    /Total\s+60\.00 EUR\s+Amount due\s+60\.00 EUR\s+Credit for later bills, once paid\s+60\.00 EUR$/,
  )
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'invoice whose payment was lost')
})

test('a dialog has the focus on its first field, or on the button that harms least, and gives it back', async () => {
  const { uuid } = await client.createCustomer()
  const [entity] = (await client.ok('GET', `${BILLING}/legal_entities`)).legal_entities
  const draft = async () => {
    const { invoice } = await client.ok('POST', `${BILLING}/invoices`, {
      invoice: {
        customer_uuid: uuid,
        currency: 'EUR',
        lines: [{ label: 'Set-up', quantity: 1, unit_amount: 10 }],
        legal_entity_id: entity.id,
        tax: 'none',
        draft: true,
      },
    })
    return invoice.id as string
  }
  const dialog = page.getByRole('dialog')
  const expectFocus = async (button: string, focused: Locator) => {
    const opener = page.getByRole('button', { name: button, exact: true }).first()
    await opener.click()
    await expect.poll(() => focused.and(page.locator(':focus')).count()).toBe(1)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => opener.and(page.locator(':focus')).count()).toBe(1)
  }
  await visit(page, `${url}/invoices/${await draft()}?environment=test`)
  await expectFocus('Remove draft', dialog.getByRole('button', { name: 'Cancel' }))
  await expectFocus('Issue', dialog.getByRole('button', { name: 'Issue' }))
  await expectFocus('Edit', dialog.getByRole('combobox', { name: 'Customer' }))
  await visit(page, `${url}/invoices?environment=test`)
  await expectFocus('Download month', dialog.getByLabel('Month'))
})

// Proves reference/billing-reports#open-items.
test('open items are those at the end of a day that is chosen, also in the file', async () => {
  const { open } = await client.ok('GET', '/svc/report/api/v1/openapi/invoices/open')
  const items = page.getByRole('group', { name: 'Open items' })
  await visit(page, `${url}/reports/invoices?environment=test&report=open`)
  await items.getByRole('link', { name: open[0].number }).waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'open items')
  await page.getByLabel('At the end of').fill('2020-01-31')
  await page.getByText('There is nothing in this period.').first().waitFor()
  expect(await items.count()).toBe(0)
  await page.waitForURL(/at=2020-01-31/)
  await page.evaluate('delete window.showSaveFilePicker; delete Window.prototype.showSaveFilePicker')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  const file = await readFile(await (await downloading).path(), 'utf8')
  expect(file.trim().split('\n')).toHaveLength(1)
  const now = (await client.now()).toZonedDateTimeISO('Asia/Hong_Kong').toPlainDate()
  const lastMonths = `from=${now.subtract({ months: 2 }).toString()}&to=${now.toString()}`
  for (const report of ['taxes', 'buyers']) {
    const rows = (await client.ok('GET', `/svc/report/api/v1/openapi/invoices/${report}?${lastMonths}`))[
      report
    ]
    const sum = (name: 'net' | 'tax') =>
      (rows as Record<'net' | 'tax', number>[]).reduce((total, row) => total + row[name], 0).toFixed(2)
    await visit(page, `${url}/reports/invoices?environment=test&report=${report}&${lastMonths}`)
    const total = page.getByRole('row', { name: /^Total/ })
    await total.getByText(sum('tax')).first().waitFor()
    expect(await total.innerText()).toContain(sum('net'))
    await screenshot(page, report)
    // A figure leads to its rows, which sum to it, and they lead back.
    await page.getByRole('group', { name: report }).getByRole('link').first().click()
    await page.getByRole('heading', { name: 'Lines of documents' }).waitFor()
    await total.getByText(rows[0].net.toFixed(2)).first().waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await page.getByRole('link', { name: 'Reports of invoices' }).click()
    await page.getByRole('heading', { name: 'Reports of invoices' }).waitFor()
  }
  await page.goto(`${url}/reports/invoices?environment=test&report=ages&period=spring&at=now`)
  await page.getByRole('heading', { name: 'Taxes' }).waitFor()
  expect(await page.getByRole('radio', { name: 'Taxes' }).isChecked()).toBe(true)
  await visit(phone.page, `${url}/reports/invoices?environment=test&report=open`)
  const card = phone.page.getByRole('listitem').filter({ hasText: open[0].number })
  await card.getByText(open[0].due.toFixed(2)).first().waitFor()
  expect(await card.innerText()).toMatch(/^INV.*\s+Due\s/)
  expect(await phone.page.getByRole('group', { name: 'Open items' }).count()).toBe(0)
  expect(await seriousFaults(phone.page)).toEqual([])
  expect(await overflowOf(phone.page)).toBe(0)
  await screenshot(phone.page, 'open items on a phone')
})

test('a legal entity names the numbers that a recovery skipped, and is edited with them', async () => {
  const since = new Date(Date.now() - 60_000).toISOString()
  expect((await runInProcess(scenario.service.env, ['recovered', '--since', since])).exitCode).toBe(0)
  const { legal_entities: entities } = await client.ok('GET', `${BILLING}/legal_entities`)
  const [{ id, series }] = entities
  await page.goto(`${url}/settings/legal-entities/${id}?environment=test`)
  await page.getByText('These numbers are on no document.').waitFor()
  const rows = page.getByRole('group', { name: 'Skipped numbers' }).getByRole('row')
  expect(series[0].gaps.length).toBeGreaterThan(0)
  expect(await rows.count()).toBe(1 + series[0].gaps.length)
  expect(await rows.last().innerText()).toContain(series[0].gaps.at(-1).to.toLocaleString('en'))
  expect(await seriousFaults(page)).toEqual([])
  expect(await overflowOf(page)).toBe(0)
  await screenshot(page, 'numbers that a recovery skipped')
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('dialog').getByLabel('Footer of documents').fill('HRB 1')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByText('The legal entity was saved.').waitFor()
  const { legal_entity: saved } = await client.ok('GET', `${BILLING}/legal_entities/${id}`)
  expect(saved).toMatchObject({ footer: 'HRB 1', series: [{ gaps: series[0].gaps }] })
})

// Proves reference/billing-invoices#drafts, reference/billing-invoices#correction, reference/billing-invoices#lists.
test('a new invoice shows its tax before it has a number, is kept as a draft, issued and corrected', async () => {
  const customer = await client.createCustomer({ name: 'Ada Kiln' })
  await visit(page, `${url}/invoices?environment=test&currency=EUR`)
  await page.getByRole('button', { name: 'New invoice' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Customer' }).fill('Ada Kiln')
  await page.getByRole('option', { name: /Ada Kiln/ }).click()
  await dialog.getByLabel('Item').fill('Set-up')
  await dialog.getByLabel('Unit price').fill('100')
  await dialog.getByLabel('Memo').fill('Thank you')
  await dialog.getByRole('table', { name: 'Totals' }).getByText('119.00').first().waitFor()
  await dialog.getByLabel('Save as a draft, without a number').click()
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'new invoice with its tax')
  await dialog.getByRole('button', { name: 'Save draft' }).click()
  await page.getByRole('heading', { name: 'Draft of an invoice', level: 1 }).waitFor()
  await page.getByText('Thank you').first().waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'draft of an invoice')
  await page.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByLabel('Unit price').fill('200')
  await dialog.getByRole('table', { name: 'Totals' }).getByText('238.00').first().waitFor()
  await dialog.getByRole('button', { name: 'Save draft' }).click()
  // The notification of the first time may still be there.
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('238.00').first().waitFor()
  await page.getByRole('button', { name: 'Issue', exact: true }).click()
  await dialog.getByRole('button', { name: 'Issue', exact: true }).click()
  await page.getByRole('heading', { name: /^Invoice INV-/, level: 1 }).waitFor()
  const issued = page
    .getByRole('region', { name: 'Timeline' })
    .getByRole('listitem')
    .filter({ hasText: 'was issued' })
  await issued.locator('[title^="usr_"]').first().waitFor()

  await client.ok('PUT', `${BILLING}/customers/${customer.uuid}/billing_details`, {
    billing_details: {
      address: { line1: 'Ring 1', postal_code: '1010', city: 'Wien', country: 'AT' },
      tax_ids: [{ type: 'vat', value: 'ATU13585627' }],
    },
  })
  await page.getByRole('button', { name: 'Correct' }).click()
  await dialog.getByText('Ring 1').waitFor()
  await dialog.getByLabel('Reason').fill('Wrong address')
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'correction of an invoice')
  await dialog.getByRole('button', { name: 'Issue note and new invoice' }).click()
  await page.getByRole('link', { name: 'the corrected invoice' }).waitFor()
  const filter = encodeURIComponent('buyer_tax_id = ATU13585627')
  const { invoices } = await client.ok('GET', `${BILLING}/invoices?filter=${filter}`)
  expect(invoices).toMatchObject([{ total: 200, tax_total: 0, memo: 'Thank you' }])

  await visit(page, `${url}/invoices?environment=test`)
  await page.getByRole('combobox', { name: 'Sort by' }).click()
  await page.getByRole('option', { name: 'Total, descending' }).click()
  await page.waitForURL(/sort=-total/)
  await page
    .getByText(/\d+ documents · /)
    .first()
    .waitFor()
  // The rows of the last order are pale until the new ones are there.
  await page.locator('[data-stale]').waitFor({ state: 'detached' })
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'invoices with their sums')
  await visit(phone.page, `${url}/invoices?environment=test&sort=-total`)
  await phone.page
    .getByText(/\d+ documents · /)
    .first()
    .waitFor()
  expect(await overflowOf(phone.page)).toBe(0)
  await screenshot(phone.page, 'invoices with their sums on a phone')
})

test('a seller in Hong Kong is entered without a postal code, with its registration, its account and its FPS id', async () => {
  await visit(page, `${url}/settings/legal-entities?environment=test`)
  await page.getByRole('button', { name: 'Add legal entity' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Harbour Tea Limited')
  await dialog.getByRole('textbox', { name: 'Address', exact: true }).fill('8 Queen’s Road')
  await dialog.getByLabel('City').fill('Central')
  await dialog.getByRole('combobox', { name: 'Country' }).fill('Hong Kong')
  await page.getByRole('option', { name: /\(HK\)$/ }).click()
  await dialog.getByRole('button', { name: 'Add a tax id' }).click()
  expect(await dialog.getByRole('combobox', { name: 'Kind of tax id 1' }).inputValue()).toBe(
    'Business registration (Hong Kong)',
  )
  await dialog.getByRole('textbox', { name: 'Tax id 1' }).fill('12345678')
  await dialog.getByRole('combobox', { name: 'Bank account' }).click()
  await page.getByRole('option', { name: 'With an account number' }).click()
  await dialog.getByRole('textbox', { name: 'Account number' }).fill('808-123456-838')
  await dialog.getByLabel('Bank code').fill('004')
  await dialog.getByLabel('FPS ID').fill('1234567')
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'new legal entity in Hong Kong')
  await dialog.getByRole('button', { name: 'Add legal entity' }).click()
  await dialog.getByText('Account number must be 1 to 34 letters and digits.').waitFor()
  await dialog.getByRole('textbox', { name: 'Account number' }).fill('808123456838')
  await dialog.getByRole('button', { name: 'Add legal entity' }).click()
  await page.getByRole('heading', { name: 'Harbour Tea Limited', level: 1 }).waitFor()
  await page.getByText('Business registration (Hong Kong): 12345678').waitFor()
  expect(await seriousFaults(page)).toEqual([])
  expect(await overflowOf(page)).toBe(0)
  await screenshot(page, 'legal entity in Hong Kong')
  const {
    legal_entities: [entity],
  } = await client.ok('GET', `${BILLING}/legal_entities`)
  expect(entity).toMatchObject({
    address: { line1: '8 Queen’s Road', city: 'Central', country: 'HK' },
    bank: { account_number: '808123456838', bank_code: '004', fps_id: '1234567' },
    tax_ids: [{ type: 'hk_br', value: '12345678' }],
  })
})
