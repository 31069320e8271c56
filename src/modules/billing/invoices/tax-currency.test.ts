import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { rebuildSchedule } from '#platform/jobs/jobs'
import { refusalOf } from '#platform/testing/requests'
import { createFixture } from '../testing/fixture.ts'
import { inJson, openInvoiceShop } from '../testing/invoices.ts'

// Proves reference/billing-tax#tax-in-the-sellers-currency, reference/billing-tax#exchange-rates.

const fixture = await createFixture()
const { invoices } = fixture
const START = '2031-06-15T02:00:00Z'
const LINES = [{ label: 'Set-up', quantity: 1, unit_amount: 100 }]
const JUNE = { from: '2031-06-01', to: '2031-06-30' }

async function open() {
  const opened = await openInvoiceShop(fixture, START)
  const { caller, customer, entity, taxes } = opened
  await taxes.editEntity(caller, entity.id, { currency: 'EUR' })
  const request = (members: object = {}) => ({
    customer_uuid: customer,
    currency: 'USD',
    lines: LINES,
    ...members,
  })
  const create = async (members: object = {}) =>
    inJson(await invoices.create(caller, request(members))).invoice
  const rate = (value: number, date = '2031-06-15') =>
    taxes.putExchangeRates(caller, [{ date, base: 'EUR', quote: 'USD', rate: value }])
  const get = async (id: string) => inJson(await invoices.get(caller, id)).invoice
  return { ...opened, request, create, rate, get }
}

test('a taxed invoice in another currency has its tax in that of the seller', async () => {
  const { shop, caller, create, rate } = await open()
  await rate(1.0835)
  const invoice = await create()
  expect(invoice).toMatchObject({
    currency: 'USD',
    tax_total: 19,
    tax_currency: 'EUR',
    exchange_rate: 1.0835,
    exchange_rate_base: 'EUR',
    exchange_rate_date: '2031-06-15',
    tax_total_in_tax_currency: 17.54,
    taxes: [{ amount: 19, amount_in_tax_currency: 17.54, base_in_tax_currency: 92.29 }],
  })
  expect(await create({ currency: 'EUR' })).not.toHaveProperty('tax_currency')
  expect(await create({ tax: 'none' })).not.toHaveProperty('tax_currency')
  const { taxes } = await invoices.report(caller, 'taxes', JUNE)
  expect(taxes?.filter(({ currency, tax }) => currency === 'USD' && tax !== 0)).toMatchObject([
    { tax: 19, tax_currency: 'EUR', tax_in_tax_currency: 17.54, net_in_tax_currency: 92.29 },
  ])
  const { rows } = await invoices.report(caller, 'taxes/rows', JUNE)
  expect(rows?.filter((row) => row['tax_currency'] !== undefined)).toMatchObject([
    { document_id: invoice.id, tax_in_tax_currency: 17.54 },
  ])
  const [titles, ...lines] = await invoices.spreadsheet(caller, {
    ...JUNE,
    columns: 'number,tax_currency,tax_total_in_tax_currency,exchange_rate,exchange_rate_date',
  })
  expect(titles).toContain("Tax in seller's currency")
  expect(lines).toContain(`${invoice.number},EUR,17.54,1.0835,2031-06-15`)
  expect(await shop.breaches()).toEqual([])
})

test('the newest rate of the day or of the seven days before it is used, in either direction', async () => {
  const { taxes, caller, create, rate } = await open()
  await rate(2, '2031-06-07')
  await expect(create()).rejects.toMatchObject({
    reason: 'exchange_rate_missing',
    detail: { data: { exchange_rates: [{ date: '2031-06-15', base: 'USD', quote: 'EUR' }] } },
  })
  await rate(4, '2031-06-16')
  await rate(1.25, '2031-06-08')
  expect(await create()).toMatchObject({ exchange_rate_date: '2031-06-08', tax_total_in_tax_currency: 15.2 })
  await taxes.putExchangeRates(caller, [{ date: '2031-06-14', base: 'USD', quote: 'EUR', rate: 0.9 }])
  expect(await create()).toMatchObject({
    exchange_rate: 0.9,
    exchange_rate_base: 'USD',
    tax_total_in_tax_currency: 17.1,
  })
})

test('a one-off invoice, its preview, the issue of a draft and a reissue need the rate of their day', async () => {
  const { caller, request, create, rate, taxes, entity, get, shop } = await open()
  const isRefused = async (work: Promise<unknown>) =>
    expect(await refusalOf(work)).toBe('409 exchange_rate_missing')
  await isRefused(create())
  await isRefused(invoices.preview(caller, request()))
  const { invoice: draft } = inJson(await invoices.createDraft(caller, request()))
  expect(draft).toMatchObject({ state: 'draft', tax_currency: 'EUR', exchange_rate: null })
  await isRefused(invoices.issueDraft(caller, draft.id))
  await rate(1.25)
  expect(inJson(await invoices.preview(caller, request())).invoice).toMatchObject({
    tax_total_in_tax_currency: 15.2,
  })
  const { invoice: issued } = inJson(await invoices.issueDraft(caller, draft.id))
  expect(issued).toMatchObject({ exchange_rate: 1.25, tax_total_in_tax_currency: 15.2 })
  await taxes.editEntity(caller, entity.id, { currency: 'GBP' })
  await isRefused(invoices.previewReissue(caller, issued.id, undefined))
  await isRefused(invoices.reissue(caller, issued.id, undefined))
  await taxes.putExchangeRates(caller, [{ date: '2031-06-12', base: 'GBP', quote: 'USD', rate: 2 }])
  const { credit_note: note, invoice: again } = inJson(await invoices.reissue(caller, issued.id, undefined))
  expect(note).toMatchObject({ tax_currency: 'EUR', exchange_rate: 1.25, tax_total_in_tax_currency: 15.2 })
  expect(again).toMatchObject({ tax_currency: 'GBP', exchange_rate: 2, tax_total_in_tax_currency: 9.5 })
  expect(await get(again.id)).toMatchObject({ tax_currency: 'GBP', exchange_rate_date: '2031-06-12' })
  expect(await shop.breaches()).toEqual([])
})

test('credit notes use the rate of their invoice, and together are its tax', async () => {
  const { caller, create, rate, shop } = await open()
  await rate(1.0835)
  const invoice = await create()
  await rate(2)
  const amounts = [39.67, 39.67, 39.66]
  const notes = []
  for (const amount of amounts) {
    const made = await invoices.creditNote(caller, invoice.id, { amount, reason: 'Late' })
    notes.push(inJson(made).credit_note)
  }
  expect(notes).toMatchObject(amounts.map(() => ({ exchange_rate: 1.0835, tax_currency: 'EUR' })))
  const sum = notes.reduce(
    (total, note) => total + Math.round(Number(note.tax_total_in_tax_currency) * 100),
    0,
  )
  expect(sum).toBe(1754)
  expect(await shop.breaches()).toEqual([])
})

test('a billing run without a rate issues the invoice, and the rate that comes later is filled in', async () => {
  const { shop, caller, taxes, entity, price, plan, documents, get } = await open()
  await taxes.editEntity(caller, entity.id, { currency: 'GBP' })
  await plan([await price(100)])
  await shop.advance('2031-06-15T03:00:00Z')
  const [invoice] = await documents('currency = "EUR"')
  if (invoice === undefined) throw new Error('the run issued nothing')
  expect(invoice).toMatchObject({ tax_currency: 'GBP', exchange_rate: null, tax_total: 19 })
  const withoutRate = () =>
    fixture.db.transact(caller.businessId, (tx) => invoices.documentsWithoutRate(tx, 10))
  expect(await withoutRate()).toMatchObject([{ id: invoice.id, currency: 'EUR', to: 'GBP' }])
  await expect(invoices.document(caller, invoice.id, 'ubl')).rejects.toMatchObject({
    detail: { data: { missing: expect.arrayContaining(['exchange_rate']) } },
  })
  await invoices.creditNote(caller, invoice.id, { amount: 59.5, reason: 'Half' })
  expect(await shop.breaches()).toEqual([])
  await taxes.putExchangeRates(caller, [{ date: '2031-06-13', base: 'EUR', quote: 'GBP', rate: 0.8765 }])
  expect(await get(invoice.id)).toMatchObject({
    exchange_rate: 0.8765,
    exchange_rate_date: '2031-06-13',
    tax_total_in_tax_currency: 16.65,
  })
  const [note] = await documents('type = "credit_note"')
  expect(note).toMatchObject({ exchange_rate: 0.8765, tax_total_in_tax_currency: 8.33 })
  expect(await withoutRate()).toEqual([])
  await taxes.putExchangeRates(caller, [{ date: '2031-06-13', base: 'EUR', quote: 'GBP', rate: 1 }])
  expect(await get(invoice.id)).toMatchObject({ exchange_rate: 0.8765 })
  await fixture.db.transact(caller.businessId, (tx) => rebuildSchedule(tx, fixture.jobs))
  expect(await shop.breaches()).toEqual([])
})

// Proves reference/billing-reports#cost.
test('the sums of days that are over are kept, until a rate comes for one of their documents', async () => {
  const { shop, caller, taxes, entity, price, plan } = await open()
  await taxes.editEntity(caller, entity.id, { currency: 'GBP' })
  await plan([await price(100)])
  await shop.advance('2031-06-20T03:00:00Z')
  const report = async () => (await invoices.report(caller, 'taxes', JUNE)).taxes
  const kept = async () => {
    const sums = await fixture.db.transact(caller.businessId, (tx) =>
      tx.query<{ day: string }>(sql`
        select day::text as day from invoice_tax_days
         where business_id = ${caller.businessId} and sums <> '[]' order by day`),
    )
    return sums.map(({ day }) => day)
  }
  expect(await report()).toMatchObject([{ tax: 19, net: 100, documents: 1 }])
  expect(await kept()).toEqual(['2031-06-15'])
  expect(await report()).toMatchObject([{ tax: 19, net: 100, documents: 1 }])
  await taxes.putExchangeRates(caller, [{ date: '2031-06-13', base: 'EUR', quote: 'GBP', rate: 0.8765 }])
  expect(await kept()).toEqual([])
  const completed = [{ tax: 19, tax_currency: 'GBP', tax_in_tax_currency: 16.65 }]
  expect(await report()).toMatchObject(completed)
  expect(await report()).toMatchObject(completed)
  expect(await kept()).toEqual(['2031-06-15'])
  expect((await invoices.report(caller, 'taxes', { ...JUNE, currency: 'USD' })).taxes).toEqual([])
  expect(await shop.breaches()).toEqual([])
})

test('rates are stored once for each day and pair, and refused by member', async () => {
  const { taxes, caller } = await open()
  const eur = { date: '2031-06-15', base: 'EUR', quote: 'USD' }
  const put = (...rates: object[]) => taxes.putExchangeRates(caller, rates as never)
  await put(
    { ...eur, rate: 1.1 },
    { ...eur, quote: 'GBP', rate: 0.87 },
    { ...eur, date: '2031-06-14', rate: 1.2 },
  )
  await put({ ...eur, rate: 1.3 })
  const all = inJson(await taxes.exchangeRates(caller))
  expect(all.exchange_rates).toEqual([
    { ...eur, rate: 1.3 },
    { ...eur, quote: 'GBP', rate: 0.87 },
    { ...eur, date: '2031-06-14', rate: 1.2 },
  ])
  const first = await taxes.exchangeRates(caller, undefined, { limit: 1 })
  const cursor = first.page.next_cursor ?? ''
  expect(inJson(await taxes.exchangeRates(caller, 'quote = "USD"', { cursor })).exchange_rates).toEqual([
    { ...eur, date: '2031-06-14', rate: 1.2 },
  ])
  const refused = (...rates: object[]) => refusalOf(put(...rates))
  const wrong = '422 exchange_rate_invalid'
  expect(await refused({ ...eur, rate: 0 })).toBe(`${wrong} exchange_rates[0].rate`)
  expect(await refused({ ...eur, rate: 1e-13 })).toBe(`${wrong} exchange_rates[0].rate`)
  expect(await refused({ ...eur, quote: 'EUR', rate: 1 })).toBe(`${wrong} exchange_rates[0].quote`)
  expect(await refused({ ...eur, rate: 1 }, { ...eur, rate: 2 })).toBe(`${wrong} exchange_rates[1]`)
})
