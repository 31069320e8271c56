import { expect, test } from 'vitest'
import { adminOf } from '#platform/testing/database'
import { refusalOf } from '#platform/testing/requests'
import { CARDS, createFixture } from '../testing/fixture.ts'
import { inJson, openInvoiceShop } from '../testing/invoices.ts'

// Proves reference/billing-reports#exports.

const fixture = await createFixture()
const { invoices } = fixture
const START = '2031-06-15T02:00:00Z'
const JUNE = { from: '2031-06-01', to: '2031-06-30' }
const ACCOUNTS = {
  receivables: '1400',
  bank: '1200',
  revenue: [
    { percentage: 19, treatment: 'taxed' as const, account: '8400' },
    { percentage: 7, treatment: 'taxed' as const, account: '8300', tax_key: '2' },
  ],
  tax: [
    { percentage: 19, treatment: 'taxed' as const, account: '19% (VAT on Income)' },
    { percentage: 7, treatment: 'taxed' as const, account: '7% (VAT on Income)' },
  ],
}
const DATEV = { consultant: 1234567, client: 42, fiscal_year_start: '01-01', account_length: 4 }

async function open() {
  const opened = await openInvoiceShop(fixture, START)
  const { caller, customer, shop, taxes } = opened
  await taxes.createRate(caller, {
    name: 'VAT',
    country: 'DE',
    category: 'books',
    percentage: 7,
    valid_from: '2020-01-01',
  })
  const invoice = inJson(
    await invoices.create(caller, {
      customer_uuid: customer,
      currency: 'EUR',
      lines: [
        { label: 'Set-up', quantity: 1, unit_amount: 100 },
        { label: '=Book "A"', quantity: 1, unit_amount: 10, tax_category: 'books' },
      ],
      collection: 'send_invoice',
    }),
  ).invoice
  const token = await shop.bind(customer, CARDS.good)
  await shop.advance('2031-06-20T02:00:00Z')
  await shop.pay(invoice.order_number, token, { amount: 29.7 })
  const note = inJson(
    await invoices.creditNote(caller, invoice.id, {
      lines: [{ line_id: '2', amount: 10.7 }],
      reason: 'Back',
    }),
  ).credit_note
  return { ...opened, invoice, note }
}

const linesOf = (file: Buffer, encoding: 'latin1' | 'utf8' = 'utf8') => file.toString(encoding).split('\r\n')

test('what lacks an account is named, each thing once, and nothing is sent', async () => {
  const { caller, taxes } = await open()
  const missing = async (format: 'datev' | 'xero') => {
    const error = await invoices.export(caller, { format, ...JUNE }).catch((refused: unknown) => refused)
    return inJson(error as { reason: string; detail: { data: { accounts: object[] } } })
  }
  expect(await missing('datev')).toMatchObject({
    reason: 'accounts_missing',
    detail: {
      data: {
        accounts: [
          { kind: 'datev' },
          { kind: 'receivables' },
          { kind: 'revenue', percentage: 19, treatment: 'taxed' },
          { kind: 'revenue', percentage: 7, treatment: 'taxed' },
          { kind: 'bank' },
        ],
      },
    },
  })
  await taxes.editSettings(caller, { accounts: { ...ACCOUNTS, tax: [] } })
  expect((await missing('xero')).detail.data.accounts).toEqual([
    { kind: 'tax', percentage: 19, treatment: 'taxed' },
    { kind: 'tax', percentage: 7, treatment: 'taxed' },
  ])
})

test('DATEV gets gross amounts by rate with their tax keys, notes reversed, and payments on their value dates', async () => {
  const { caller, taxes, invoice, note } = await open()
  const { settings } = inJson(await taxes.editSettings(caller, { accounts: ACCOUNTS, datev: DATEV }))
  expect(settings).toMatchObject({ accounts: { ...ACCOUNTS, cash: null, fees: null }, datev: DATEV })
  expect(inJson(await taxes.settings(caller)).settings).toEqual(settings)
  const file = await invoices.export(caller, { format: 'datev', ...JUNE })
  expect(await invoices.export(caller, { format: 'datev', ...JUNE })).toEqual(file)
  const [head = '', columns = '', ...rows] = linesOf(file, 'latin1')
  expect(head).toMatch(
    /^"EXTF";700;21;"Buchungsstapel";13;20310630000000000;;"QT";"";"";1234567;42;20310101;4;20310601;20310630;/,
  )
  expect(head).toMatch(/;1;0;0;"";;"";;;"";;;"";""$/)
  expect(head.split(';').length).toBe(31)
  expect(columns.split(';').length).toBe(125)
  expect(columns).toContain('Gegenkonto (ohne BU-Schlüssel)')
  expect(columns).toContain(';Zusatzinformation - Art 20;Zusatzinformation- Inhalt 20;Stück;')
  const fields = rows.filter((row) => row !== '').map((row) => row.split(';'))
  expect(fields.map((row) => row.length)).toEqual([125, 125, 125, 125])
  const reference = (number: string) => `"${number}"`
  expect(fields.map((row) => [...row.slice(0, 3), ...row.slice(6, 12)])).toEqual([
    ['119,00', '"S"', '"EUR"', '1400', '8400', '', '1506', reference(invoice.number), '""'],
    ['10,70', '"S"', '"EUR"', '1400', '8300', '"2"', '1506', reference(invoice.number), '""'],
    ['10,70', '"H"', '"EUR"', '1400', '8300', '"2"', '2006', reference(note.number), '""'],
    ['29,70', '"S"', '"EUR"', '1200', '1400', '', '2006', reference(invoice.number), '""'],
  ])
  // Belegfeld 2 has room for 12 characters.
  expect(fields.map((row) => row.slice(20, 22).join(' '))).toEqual([
    ' ',
    ' ',
    `"Korrigiert" ${reference(invoice.number)}`,
    ' ',
  ])
  const wrong = { format: 'datev', from: '2030-12-01', to: '2031-06-30' } as const
  expect(await refusalOf(invoices.export(caller, wrong))).toBe('422 invalid_date_range from')
})

test('Xero and QuickBooks get a row for each line, with negative notes and no cell that runs', async () => {
  const { caller, taxes, invoice, note } = await open()
  await taxes.editSettings(caller, { accounts: ACCOUNTS })
  const xero = linesOf(await invoices.export(caller, { format: 'xero', ...JUNE }))
  expect(xero[0]).toMatch(
    /^\*ContactName,EmailAddress,POAddressLine1,.*,\*InvoiceNumber,Reference,\*InvoiceDate,\*DueDate,Total,/,
  )
  expect(xero.length).toBe(5)
  expect(xero[1]).toContain(
    `,${invoice.number},${invoice.payment_reference},15/06/2031,15/07/2031,129.70,,Set-up,1,100.00,,8400,19% (VAT on Income),19.00,`,
  )
  expect(xero[2]).toContain(`,"'=Book ""A""",1,10.00,,8300,7% (VAT on Income),0.70,`)
  expect(xero[3]).toContain(`,${note.number},${invoice.number},20/06/2031,20/06/2031,-10.70,,`)
  expect(xero[3]).toContain(',1,-10.00,,8300,7% (VAT on Income),-0.70,')
  const quickbooks = linesOf(await invoices.export(caller, { format: 'quickbooks', ...JUNE }))
  expect(quickbooks[0]).toMatch(/^\*InvoiceNo,\*Customer,\*InvoiceDate,\*DueDate,Terms,/)
  expect(quickbooks[1]).toMatch(/,8400,Set-up,1,100\.00,100\.00,19% \(VAT on Income\),19\.00,EUR$/)
})

test('accounts that contradict each other are refused, and null removes them', async () => {
  const { caller, taxes } = await open()
  const edit = (accounts: NonNullable<Parameters<typeof taxes.editSettings>[1]['accounts']> | null) =>
    taxes.editSettings(caller, { accounts })
  const twice = [...ACCOUNTS.revenue, { percentage: 19, treatment: 'taxed' as const, account: '8401' }]
  expect(await refusalOf(edit({ revenue: twice }))).toBe('422 accounts_invalid settings.accounts.revenue[2]')
  const high = [{ percentage: 101, treatment: 'taxed' as const, account: '1' }]
  expect(await refusalOf(edit({ tax: high }))).toBe('422 accounts_invalid settings.accounts.tax[0]')
  await edit(ACCOUNTS)
  expect(inJson(await edit(null)).settings.accounts).toBeNull()
})

const FULL = { ...ACCOUNTS, cash: '1000', fees: '4970' }

async function openWithFee() {
  const opened = await open()
  const { caller, taxes } = opened
  const node = await adminOf(fixture, caller.businessId)
  await node.query(
    `update transactions set answer = (answer::jsonb || '{"fee": "170"}')::json where business_id = $1 and state = 'succeeded'`,
    [caller.businessId],
  )
  await taxes.editSettings(caller, { accounts: ACCOUNTS, datev: DATEV })
  return opened
}

test('what the bank kept of a payment is booked on the account of fees, in the file of each program', async () => {
  const { caller, taxes, invoice } = await openWithFee()
  const error = await invoices
    .export(caller, { format: 'datev', ...JUNE })
    .catch((refused: unknown) => refused)
  expect(error).toMatchObject({ detail: { data: { accounts: [{ kind: 'fees' }] } } })
  await taxes.editSettings(caller, { accounts: FULL })
  const datev = linesOf(
    await invoices.export(caller, { format: 'datev', records: 'bank', ...JUNE }),
    'latin1',
  )
  const fields = datev
    .slice(2)
    .filter((row) => row !== '')
    .map((row) => row.split(';'))
  expect(fields.map((row) => [row[0], row[1], row[6], row[7], row[9]])).toEqual([
    ['28,00', '"S"', '1200', '1400', '2006'],
    ['1,70', '"S"', '4970', '1400', '2006'],
  ])
  const xero = linesOf(await invoices.export(caller, { format: 'xero', records: 'bank', ...JUNE }))
  const payer = invoice.buyer.name
  expect(xero).toEqual([
    '*Date,*Amount,Payee,Description,Reference,Transaction Type,Account Code,Currency',
    `20/06/2031,29.70,${payer},Payment,${invoice.number},Credit,,EUR`,
    `20/06/2031,-1.70,${payer},Fee,${invoice.number},Debit,4970,EUR`,
    '',
  ])
  const quickbooks = linesOf(
    await invoices.export(caller, { format: 'quickbooks', records: 'bank', ...JUNE }),
  )
  expect(quickbooks[0]).toBe(
    '*JournalNo,*JournalDate,*AccountName,*Debits,*Credits,Description,Name,Currency',
  )
  const rest = `${invoice.number},${payer},EUR`
  expect(quickbooks.slice(1).map((row) => row.split(',').slice(1).join(','))).toEqual([
    `20/06/2031,1200,28.00,,${rest}`,
    `20/06/2031,4970,1.70,,${rest}`,
    `20/06/2031,1400,,29.70,${rest}`,
    '',
  ])
  const cash = linesOf(await invoices.export(caller, { format: 'quickbooks', records: 'cash', ...JUNE }))
  expect(cash).toHaveLength(2)
})

test('DATEV gets documents in other currencies with their rate and the amount in that of the books', async () => {
  const { caller, taxes, entity, customer } = await open()
  await taxes.editSettings(caller, { accounts: FULL, datev: DATEV })
  await taxes.editEntity(caller, entity.id, { currency: 'EUR' })
  const rate = (date: string, value: number) =>
    taxes.putExchangeRates(caller, [{ date, base: 'EUR', quote: 'USD', rate: value }])
  const foreign = (members: object = {}) =>
    invoices.create(caller, {
      customer_uuid: customer,
      currency: 'USD',
      lines: [{ label: 'Set-up', quantity: 1, unit_amount: 100 }],
      ...members,
    })
  await rate('2031-06-20', 1.25)
  const taxed = inJson(await foreign()).invoice
  const usd = { currency: 'USD', format: 'datev', ...JUNE } as const
  const rowsOf = async () => {
    const lines = linesOf(await invoices.export(caller, usd), 'latin1')
    const fields = lines.slice(2).filter((row) => row !== '')
    return fields.map((row) => row.split(';').slice(0, 8))
  }
  expect(taxed.state).toBe('paid')
  expect(await rowsOf()).toEqual([
    ['119,00', '"S"', '"USD"', '1,25', '95,20', '"EUR"', '1400', '8400'],
    ['119,00', '"S"', '"USD"', '1,25', '95,20', '"EUR"', '1200', '1400'],
  ])
  await foreign({ currency: 'CHF', tax: 'none', collection: 'send_invoice' })
  await taxes.editSettings(caller, {
    accounts: {
      ...FULL,
      revenue: [...ACCOUNTS.revenue, { percentage: 0, treatment: 'not_registered', account: '8200' }],
    },
  })
  await expect(invoices.export(caller, { format: 'datev', ...JUNE })).rejects.toMatchObject({
    reason: 'exchange_rate_missing',
    detail: { data: { exchange_rates: [{ date: '2031-06-20', base: 'CHF', quote: 'EUR' }] } },
  })
  await taxes.putExchangeRates(caller, [{ date: '2031-06-18', base: 'CHF', quote: 'EUR', rate: 0.8 }])
  const lines = linesOf(await invoices.export(caller, { ...usd, currency: 'CHF' }), 'latin1')
  expect(lines[2]?.split(';').slice(0, 6)).toEqual(['100,00', '"S"', '"CHF"', '1,25', '80,00', '"EUR"'])
})

test('DATEV gets amounts in the currency of the books where it has no room for their rate or their decimals', async () => {
  const { caller, taxes, entity, customer } = await open()
  const revenue = [
    ...ACCOUNTS.revenue,
    { percentage: 0, treatment: 'not_registered' as const, account: '8200' },
  ]
  await taxes.editSettings(caller, { accounts: { ...FULL, revenue }, datev: DATEV })
  const create = (currency: string, amount: number) =>
    invoices.create(caller, {
      customer_uuid: customer,
      currency,
      tax: 'none',
      collection: 'send_invoice',
      lines: [{ label: 'Set-up', quantity: 1, unit_amount: amount }],
    })
  await create('BHD', 100.125)
  await create('JPY', 1_999)
  const rowOf = async (currency: string) => {
    const file = await invoices.export(caller, { format: 'datev', currency, ...JUNE })
    const fields = linesOf(file, 'latin1')[2]?.split(';') ?? []
    return [...fields.slice(0, 6), ...fields.slice(20, 24)].filter((field) => field !== '').join(' ')
  }
  await expect(rowOf('BHD')).rejects.toMatchObject({
    reason: 'accounts_missing',
    detail: { data: { accounts: [{ kind: 'currency' }] } },
  })
  expect(await rowOf('JPY')).toBe('1999,00 "S" "JPY"')
  const none = { percentage: 0, treatment: 'not_registered' as const, account: 'No VAT' }
  await taxes.editSettings(caller, { accounts: { ...FULL, revenue, tax: [none] } })
  const sales = async (format: 'xero' | 'quickbooks', currency: string) =>
    linesOf(await invoices.export(caller, { format, currency, ...JUNE }))[1]
  expect(await sales('xero', 'BHD')).toContain(',100.125,,Set-up,1,100.125,,8200,No VAT,0.000,')
  expect(await sales('quickbooks', 'BHD')).toContain(',Set-up,1,100.125,100.125,No VAT,0.000,BHD')
  expect(await sales('xero', 'JPY')).toContain(',1999,,Set-up,1,1999,,8200,No VAT,0,')
  await taxes.editEntity(caller, entity.id, { currency: 'EUR' })
  await create('GBP', 100)
  const rates = { BHD: 0.41, GBP: 0.85, JPY: 162.5 }
  await taxes.putExchangeRates(
    caller,
    Object.entries(rates).map(([quote, rate]) => ({ date: '2031-06-20', base: 'EUR', quote, rate })),
  )
  expect(await rowOf('BHD')).toBe('244,21 "S" "EUR" "Betrag" "100.125 BHD"')
  expect(await rowOf('GBP')).toBe('117,65 "S" "EUR" "Betrag" "100.00 GBP"')
  expect(await rowOf('JPY')).toBe('1999,00 "S" "JPY" 162,50 12,30 "EUR"')
})

test('what DATEV or QuickBooks would not import is named, and no file is sent', async () => {
  const { caller, taxes, entity, customer } = await open()
  const exported = (format: 'datev' | 'quickbooks', range = JUNE) =>
    invoices.export(caller, { format, ...range })
  const saying = (message: string) => ({ reason: 'not_importable', message })
  const use = (accounts: object, datev: object = {}) =>
    taxes.editSettings(caller, { accounts: { ...FULL, ...accounts }, datev: { ...DATEV, ...datev } })
  await use({ receivables: '10000', bank: 'Bank 1' })
  await expect(exported('datev')).rejects.toMatchObject(
    saying('DATEV has no account "Bank 1": with an account_length of 4 it has 1 to 5 digits.'),
  )
  await use({ bank: '120000' })
  expect(await refusalOf(exported('datev'))).toBe('409 not_importable')
  await use({ bank: '120000' }, { account_length: 5 })
  expect((await exported('datev')).length).toBeGreaterThan(0)
  await use({}, { fiscal_year_start: '07-01' })
  expect(await refusalOf(exported('datev', { from: '2030-12-31', to: '2031-01-01' }))).toBe(
    '422 invalid_date_range from',
  )
  await taxes.editEntity(caller, entity.id, {
    series: [
      { key: 'long', invoice_format: 'A-LONG-SERIES-{YYYY}-{SEQ:6}', credit_note_format: 'N-{YYYY}-{SEQ:6}' },
    ],
  })
  const { number } = inJson(
    await invoices.create(caller, {
      customer_uuid: customer,
      currency: 'EUR',
      lines: [{ label: 'Set-up', quantity: 1, unit_amount: 10_000_000_000 }],
      collection: 'send_invoice',
      series: 'long',
    }),
  ).invoice
  await expect(exported('datev')).rejects.toMatchObject(
    saying(`DATEV takes at most 9999999999.99, but ${number} has 11900000000.00 EUR.`),
  )
  await taxes.editSettings(caller, { accounts: ACCOUNTS })
  await expect(exported('quickbooks')).rejects.toMatchObject(
    saying(`QuickBooks takes numbers of at most 21 characters, and ${number} is longer.`),
  )
})
