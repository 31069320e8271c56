import fc from 'fast-check'
import { expect, test } from 'vitest'
import { refusalOf } from '#platform/testing/requests'
import type { ReportRow } from '../../invoices/testing/fixture.ts'
import { CARDS, createFixture } from '../testing/fixture.ts'
import { inJson, openInvoiceShop } from '../testing/invoices.ts'

// Proves reference/billing-reports#taxes, reference/billing-reports#buyers, reference/billing-reports#open-items,
// reference/billing-reports#rows, reference/billing-reports#spreadsheet.

const fixture = await createFixture()
const { invoices, payments } = fixture
const START = '2031-06-15T02:00:00Z'
const JUNE = { from: '2031-06-01', to: '2031-06-30' }
const SENT = { collection: 'send_invoice', days_until_due: 14 } as const

async function open() {
  const opened = await openInvoiceShop(fixture, START)
  const { caller, customer, shop, taxes } = opened
  const create = async (members: object = {}) =>
    inJson(
      await invoices.create(caller, {
        customer_uuid: customer,
        currency: 'EUR',
        lines: [{ label: 'Set-up', quantity: 1, unit_amount: 100 }],
        ...SENT,
        ...members,
      }),
    ).invoice
  const report = (path: string, query: object = path.startsWith('open') ? {} : JUNE) =>
    invoices.report(caller, path, query)
  const buyer = async (details: object) => {
    const uuid = await shop.customer(CARDS.good)
    await taxes.editDetails(caller, uuid, details)
    return uuid
  }
  const token = await shop.bind(customer, CARDS.good)
  return { ...opened, create, report, buyer, token }
}

const address = (country: string, region?: string) => ({
  line1: 'Street 1',
  postal_code: '10115',
  city: 'City',
  country,
  ...(region !== undefined && { region }),
})

/** In thousandths, because numbers of JSON have binary fractions and BHD three digits. */
function sumBy(rows: readonly ReportRow[], members: readonly string[], amount: string): Map<string, number> {
  const sums = new Map<string, number>()
  for (const row of rows) {
    const key = members.map((member) => String(row[member])).join(' ')
    sums.set(key, (sums.get(key) ?? 0) + Math.round(Number(row[amount]) * 1_000))
  }
  return new Map([...sums].filter(([, sum]) => sum !== 0).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

test('a country and a category of its own have rows of their own, and notes count negative', async () => {
  const { taxes, caller, create, report, entity, buyer } = await open()
  await taxes.createRate(caller, {
    name: 'VAT',
    country: 'DE',
    category: 'books',
    percentage: 7,
    valid_from: '2020-01-01',
  })
  const french = await buyer({ address: address('FR') })
  const austrian = await buyer({
    address: address('AT'),
    tax_ids: [{ type: 'vat', value: 'ATU13585627' }],
  })
  const lines = [
    { label: 'Set-up', quantity: 1, unit_amount: 100 },
    { label: 'Book', quantity: 2, unit_amount: 10, tax_category: 'books' },
  ]
  const first = await create({ lines })
  await create({ customer_uuid: french })
  await create({ customer_uuid: austrian })
  await invoices.creditNote(caller, first.id, {
    lines: [{ line_id: '2', amount: 10.7 }],
    reason: 'Came back',
  })
  const row = { legal_entity_id: entity.id, currency: 'EUR', region: null }
  const { taxes: rows } = await report('taxes')
  expect(rows).toEqual([
    {
      ...row,
      country: 'AT',
      treatment: 'reverse_charge',
      name: 'Reverse charge',
      percentage: 0,
      category: null,
      net: 100,
      tax: 0,
      documents: 1,
    },
    {
      ...row,
      country: 'DE',
      treatment: 'taxed',
      name: 'VAT',
      percentage: 7,
      category: 'books',
      net: 10,
      tax: 0.7,
      documents: 2,
    },
    {
      ...row,
      country: 'DE',
      treatment: 'taxed',
      name: 'VAT',
      percentage: 19,
      category: null,
      // To France below the EU threshold with the rate of the entity's country.
      net: 200,
      tax: 38,
      documents: 2,
    },
  ])
  const { rows: books } = await report('taxes/rows', { ...JUNE, category: 'books' })
  expect(books).toMatchObject([
    { type: 'credit_note', number: 'CN-2031-000001', line_id: '1', label: 'Book', net: -10, tax: -0.7 },
    { type: 'invoice', number: first.number, line_id: '2', label: 'Book', net: 20, tax: 1.4, country: 'DE' },
  ])
  const { rows: general } = await report('taxes/rows', { ...JUNE, category: '', percentage: '19' })
  expect(general?.map(({ net }) => net)).toEqual([100, 100])
  const { buyers } = await report('buyers')
  expect(buyers).toMatchObject([
    { buyer_country: 'AT', buyer_tax_id: 'ATU13585627', treatment: 'reverse_charge', net: 100, tax: 0 },
    { buyer_country: 'FR', buyer_tax_id: null, treatment: 'taxed', net: 100, tax: 19 },
    { buyer_country: null, treatment: 'taxed', net: 110, tax: 19.7 },
  ])
})

test('two rates of one name and percentage are one tax of a document and two rows', async () => {
  const { taxes, caller, create, report, buyer } = await open()
  for (const category of ['food', 'books']) {
    await taxes.createRate(caller, {
      name: 'VAT',
      country: 'DE',
      category,
      percentage: 7,
      valid_from: '2020-01-01',
    })
  }
  const customer = await buyer({ address: address('DE') })
  const lines = [
    { label: 'Tea', quantity: 1, unit_amount: 1.03, tax_category: 'food' },
    { label: 'Book', quantity: 1, unit_amount: 1.03, tax_category: 'books' },
    { label: 'Cake', quantity: 1, unit_amount: 1.03, tax_category: 'food' },
  ]
  const invoice = await create({ customer_uuid: customer, lines })
  expect(invoice.taxes).toEqual([
    { name: 'VAT', percentage: 7, treatment: 'taxed', base: 3.09, amount: 0.22 },
  ])
  const { taxes: rows } = await report('taxes')
  expect(rows?.map(({ category, net, tax }) => [category, net, tax])).toEqual([
    ['books', 1.03, 0.08],
    ['food', 2.06, 0.14],
  ])
  const again = inJson(await invoices.get(caller, invoice.id)).invoice
  expect(again).toEqual(invoice)
})

test('open items are what was due at the end of a day', async () => {
  const { shop, caller, create, report, token } = await open()
  const first = await create()
  const second = await create({ days_until_due: 0 })
  await shop.advance('2031-06-20T02:00:00Z')
  await shop.pay(first.order_number, token, { amount: 19 })
  await shop.advance('2031-06-25T02:00:00Z')
  await invoices.creditNote(caller, first.id, { amount: 40, reason: 'Late' })
  await shop.pay(second.order_number, token)
  await shop.advance('2031-07-20T02:00:00Z')
  await shop.pay(first.order_number, token)
  await shop.advance('2031-08-30T02:00:00Z')
  const dues = async (at: string) =>
    (await report('open', { at })).open?.map((row) => [row['number'], row['due'], row['days_overdue']])
  expect(await dues('2031-06-14')).toEqual([])
  expect(await dues('2031-06-15')).toEqual([
    [first.number, 119, 0],
    [second.number, 119, 0],
  ])
  expect(await dues('2031-06-20')).toEqual([
    [first.number, 100, 0],
    [second.number, 119, 5],
  ])
  expect(await dues('2031-06-30')).toEqual([[first.number, 60, 1]])
  expect(await dues('2031-07-19')).toEqual([[first.number, 60, 20]])
  expect(await dues('2031-07-20')).toEqual([])
  const { rows } = await report('open/rows', { at: '2031-06-30' })
  expect(rows?.map(({ line, date, amount }) => [line, date, amount])).toEqual([
    ['invoice', '2031-06-15', 119],
    ['credit_note', '2031-06-25', -40],
    ['payment', '2031-06-20', -19],
  ])
  expect((await report('open/ages', { at: '2031-06-20' })).ages).toMatchObject([
    { currency: 'EUR', invoices: 2, due: 219, not_due: 100, '1_30': 119, over_90: 0 },
  ])
})

test('a claim that was given up was due until then', async () => {
  const { shop, plan, price, only, report } = await openGivenUp()
  await plan([await price(100)], { payment_retry_count: 1, grace_period: 3 })
  await shop.advance('2031-06-16T02:00:00Z')
  await shop.advance('2031-06-25T02:00:00Z')
  const invoice = await only()
  expect(invoice.state).toBe('uncollectible')
  const dues = async (at: string) => (await report('open', { at })).open?.map((row) => row['due'])
  expect(await dues('2031-06-16')).toEqual([119])
  expect(await dues('2031-06-20')).toEqual([])
})

async function openGivenUp() {
  const opened = await openInvoiceShop(fixture, START, { card: CARDS.declining })
  return { ...opened, report: (path: string, query: object) => invoices.report(opened.caller, path, query) }
}

test('a report refuses wrong dates, currencies, legal entities and formats', async () => {
  const { report } = await open()
  const refusal = (path: string, query: object) => refusalOf(report(path, query))
  expect(await refusal('taxes', { from: '2031-06-02', to: '2031-06-01' })).toBe('422 invalid_date_range from')
  expect(await refusal('buyers', { to: '2031-06-01' })).toBe('400 missing_query_name from')
  expect(await refusal('taxes', { ...JUNE, currency: 'EURO' })).toBe('400 invalid_query_value currency')
  expect(await refusal('open', { currency: 'XXQ' })).toBe('400 invalid_query_value currency')
  for (const path of ['taxes', 'buyers', 'taxes/rows', 'buyers/rows', 'open', 'open/rows', 'open/ages']) {
    expect(await refusal(path, { legal_entity_id: 'len_none' })).toBe(
      '404 legal_entity_not_found legal_entity_id',
    )
  }
  expect(await refusal('open', { at: '1969-12-31' })).toBe('422 invalid_date_range at')
  expect(await refusal('open', { cursor: 'nonsense' })).toBe('400 invalid_cursor cursor')
})

test('open items come page by page, those that are open still among them', async () => {
  const { create, report } = await open()
  const numbers: unknown[] = []
  for (let made = 0; made < 3; made++) numbers.push((await create()).number)
  for (const path of ['open', 'open/rows']) {
    const found: unknown[] = []
    let cursor: string | null | undefined
    do {
      const { open: items, rows, page } = await report(path, { limit: 1, ...(cursor && { cursor }) })
      found.push(...(items ?? rows ?? []).map(({ number }) => number))
      cursor = page?.next_cursor
    } while (cursor)
    expect(found).toEqual(numbers.toReversed())
  }
})

test('a CSV has every row, and no cell that a spreadsheet would run', async () => {
  const { create, report } = await open()
  await create({ lines: [{ label: '=HYPERLINK("x")', quantity: 1, unit_amount: 100 }] })
  const { text = '' } = await report('taxes/rows', { ...JUNE, format: 'csv' })
  const [header, row, end] = text.split('\r\n')
  expect(header).toMatch(
    /^document_id,type,number,.*,net,tax,tax_currency,net_in_tax_currency,tax_in_tax_currency$/,
  )
  expect(row).toMatch(/,"'=HYPERLINK\(""x""\)",.*,100\.00,19\.00,,,$/)
  expect(end).toBe('')
  for (const path of ['taxes', 'buyers', 'buyers/rows', 'open', 'open/rows']) {
    const query = path.startsWith('open') ? { format: 'csv' } : { ...JUNE, format: 'csv' }
    expect((await report(path, query)).text?.split('\r\n').length).toBe(3)
  }
})

test('the spreadsheet has a pair of columns for each rate, what was paid and when, and negative notes', async () => {
  const { shop, taxes, caller, create, report, token } = await open()
  await taxes.createRate(caller, {
    name: 'VAT',
    country: 'DE',
    category: 'books',
    percentage: 7,
    valid_from: '2020-01-01',
  })
  const lines = [
    { label: 'Set-up', quantity: 1, unit_amount: 100 },
    { label: 'Book', quantity: 1, unit_amount: 10, tax_category: 'books' },
  ]
  const first = await create({ lines })
  await shop.advance('2031-06-20T02:00:00Z')
  await shop.pay(first.order_number, token, { amount: 29.7 })
  const { credit_note: note } = inJson(
    await invoices.creditNote(caller, first.id, { lines: [{ line_id: '2', amount: 10.7 }], reason: 'Back' }),
  )
  expect(
    await invoices.spreadsheet(caller, {
      ...JUNE,
      columns: 'number,type,total,rates,paid,paid_on,amount_due',
    }),
  ).toEqual([
    '\uFEFFNumber,Type,Total,Net at VAT 7%,Tax at VAT 7%,Net at VAT 19%,Tax at VAT 19%,Paid,Paid on,Amount due',
    `${note.number},credit_note,-10.70,-10.00,-0.70,,,0.00,,0.00`,
    `${first.number},invoice,129.70,10.00,0.70,100.00,19.00,29.70,2031-06-20,89.30`,
    '',
  ])
  const [header = '', credit = ''] = await invoices.spreadsheet(caller, { ...JUNE, language: 'zh-Hant' })
  expect(header.split(',').length).toBe(27)
  expect(header).toContain('VAT 19% 稅額')
  expect(credit).toContain(`${note.payment_reference},${first.number},`)
  expect(await refusalOf(invoices.spreadsheet(caller, { ...JUNE, columns: 'color' }))).toBe(
    '400 invalid_query_value columns',
  )
  expect(await refusalOf(invoices.spreadsheet(caller, { legal_entity_id: 'len_none' }))).toBe(
    '404 legal_entity_not_found legal_entity_id',
  )
  expect((await report('open')).open?.map(({ due }) => due)).toEqual([89.3])
})

const CURRENCIES = ['EUR', 'JPY', 'BHD'] as const
const CATEGORIES = ['standard', 'books', 'food', 'other'] as const

const line = fc.record({
  category: fc.constantFrom(...CATEGORIES),
  quantity: fc.integer({ min: 1, max: 7 }),
  cents: fc.integer({ min: 1, max: 99_999 }),
})
const invoiceOf = fc.record({
  buyer: fc.nat({ max: 4 }),
  currency: fc.constantFrom(...CURRENCIES),
  lines: fc.array(line, { minLength: 1, maxLength: 5 }),
  taxed: fc.integer({ min: 0, max: 4 }).map((n) => n > 0),
  days: fc.nat({ max: 40 }),
})
const act = fc.record({
  kind: fc.constantFrom('pay', 'note', 'note', 'refund', 'wait'),
  invoice: fc.nat(),
  share: fc.integer({ min: 1, max: 100 }),
})

const DIGITS: Readonly<Record<(typeof CURRENCIES)[number], number>> = { EUR: 2, JPY: 0, BHD: 3 }

test('taxes, buyers and open items are sums of documents, whatever was invoiced, credited, paid and refunded', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(invoiceOf, { minLength: 1, maxLength: 5 }),
      fc.array(act, { maxLength: 8 }),
      async (wanted, acts) => {
        const { shop, caller, create, report, taxes, buyer, token, documents, customer } = await open()
        for (const [category, name, percentage, region] of [
          ['books', 'VAT', 7, undefined],
          ['food', 'VAT', 7, undefined],
          [undefined, 'City tax', 1.5, 'BE'],
          [undefined, 'VAT', 19, 'BE'],
        ] as const) {
          await taxes.createRate(caller, {
            name,
            country: 'DE',
            percentage,
            valid_from: '2020-01-01',
            ...(category !== undefined && { category }),
            ...(region !== undefined && { region }),
          })
        }
        const buyers = [
          customer,
          await buyer({ address: address('DE', 'BE') }),
          await buyer({ address: address('FR') }),
          await buyer({ address: address('AT'), tax_ids: [{ type: 'vat', value: 'ATU13585627' }] }),
          await buyer({ address: address('CH'), tax_exempt: 'exempt', exempt_reason: 'Abroad' }),
        ]
        const amountIn = (currency: (typeof CURRENCIES)[number], minor: number) =>
          Number((minor / 10 ** DIGITS[currency]).toFixed(DIGITS[currency]))
        const made: Awaited<ReturnType<typeof create>>[] = []
        for (const one of wanted) {
          made.push(
            await create({
              customer_uuid: buyers[one.buyer],
              currency: one.currency,
              days_until_due: one.days,
              tax: one.taxed ? 'automatic' : 'none',
              lines: one.lines.map(({ category, quantity, cents }, index) => ({
                label: `L${index}`,
                quantity,
                unit_amount: amountIn(one.currency, cents),
                tax_category: category,
              })),
            }),
          )
        }
        const paid: string[] = []
        let day = 15
        for (const { kind, invoice: index, share } of acts) {
          const chosen = made[index % made.length]
          if (chosen === undefined) continue
          const current = inJson(await invoices.get(caller, chosen.id)).invoice
          const currency = current.currency as (typeof CURRENCIES)[number]
          const part = (whole: unknown) =>
            amountIn(
              currency,
              Math.max(1, Math.floor((Number(whole) * 10 ** DIGITS[currency] * share) / 100)),
            )
          if (kind === 'wait') await shop.advance(`2031-06-${++day}T02:00:00Z`)
          if (kind === 'pay' && Number(current.amount_due) > 0 && current.buyer.customer_uuid === customer) {
            const amount = part(current.amount_due)
            paid.push(await shop.pay(current.order_number, token, { amount }))
          }
          if (kind === 'note' && Number(current.credited_total) < Number(current.total)) {
            const left = Number(current.total) - Number(current.credited_total)
            await invoices.creditNote(caller, chosen.id, { amount: part(left), reason: 'Less' })
          }
          const payment = paid[index % Math.max(1, paid.length)]
          if (kind === 'refund' && payment !== undefined) {
            paid.splice(paid.indexOf(payment), 1)
            await payments.refund(caller, { transaction: { uuid: payment } })
          }
        }

        const found = (await documents()) as unknown as {
          type: string
          state: string
          number: string
          currency: string
          amount_due: number
          net_total: number
          tax_total: number
          taxes: { name: string; percentage: number; treatment: string; base: number; amount: number }[]
        }[]
        const signs = found.map((document) => ({ document, sign: document.type === 'invoice' ? 1 : -1 }))
        const groups = signs.flatMap(({ document, sign }) =>
          document.taxes.map(({ base, amount, ...group }) => ({
            ...group,
            currency: document.currency,
            net: sign * base,
            tax: sign * amount,
          })),
        )
        const { taxes: sums = [] } = await report('taxes')
        const { rows = [] } = await report('taxes/rows')
        for (const amount of ['net', 'tax']) {
          const ofGroup = ['currency', 'treatment', 'name', 'percentage']
          const ofRow = [...ofGroup, 'country', 'region', 'category']
          expect(sumBy(sums, ofGroup, amount)).toEqual(sumBy(groups, ofGroup, amount))
          expect(sumBy(rows, ofRow, amount)).toEqual(sumBy(sums, ofRow, amount))
        }
        const { buyers: ofBuyers = [] } = await report('buyers')
        const { rows: buyerRows = [] } = await report('buyers/rows')
        const totals = signs.map(({ document, sign }) => ({
          currency: document.currency,
          net: sign * document.net_total,
          tax: sign * document.tax_total,
        }))
        for (const amount of ['net', 'tax']) {
          expect(sumBy(ofBuyers, ['currency'], amount)).toEqual(sumBy(totals, ['currency'], amount))
          const ofBuyer = ['currency', 'buyer_name', 'treatment', 'buyer_country']
          expect(sumBy(buyerRows, ofBuyer, amount)).toEqual(sumBy(ofBuyers, ofBuyer, amount))
        }
        const due = found
          .filter(({ type }) => type === 'invoice')
          .map(({ number, currency, amount_due }) => ({
            number,
            currency,
            due: amount_due,
          }))
        const { open: items = [] } = await report('open')
        expect(sumBy(items, ['currency', 'number'], 'due')).toEqual(sumBy(due, ['currency', 'number'], 'due'))
        const { rows: parts = [] } = await report('open/rows')
        expect(sumBy(parts, ['number'], 'amount')).toEqual(sumBy(items, ['number'], 'due'))
        const { ages = [] } = await report('open/ages')
        expect(sumBy(ages, ['currency'], 'due')).toEqual(sumBy(items, ['currency'], 'due'))
        const table = await invoices.spreadsheet(caller, {
          ...JUNE,
          columns: 'currency,net_total,tax_total,amount_due',
        })
        const shown = table.slice(1, -1).map((row) => {
          const [currency = '', net = '', tax = '', left = ''] = row.split(',')
          return { currency, net, tax, left }
        })
        expect(sumBy(shown, ['currency'], 'left')).toEqual(sumBy(items, ['currency'], 'due'))
        for (const amount of ['net', 'tax']) {
          expect(sumBy(shown, ['currency'], amount)).toEqual(sumBy(totals, ['currency'], amount))
        }
        expect(await shop.breaches()).toEqual([])
      },
    ),
    { numRuns: Number(process.env['REPORT_RUNS'] ?? 8) },
  )
}, 240_000)
