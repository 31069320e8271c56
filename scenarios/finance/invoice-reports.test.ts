import { expect, test } from 'vitest'
import { startScenario } from '../harness/scenario.ts'

// Proves reference/billing-reports#taxes, reference/billing-reports#open-items, reference/billing-reports#spreadsheet,
// reference/billing-reports#exports, reference/reports#attention.

const { client } = await startScenario()
const BILLING = '/svc/billing/api/v1/openapi'
const REPORTS = '/svc/report/api/v1/openapi'

interface Row {
  readonly [member: string]: number
}

async function text(path: string): Promise<string> {
  const { base_url: baseUrl, api_key: key } = client.sandbox
  const response = await fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${key}` } })
  expect(response.status).toBe(200)
  return response.text()
}

const cents = (rows: readonly Row[], member: string) =>
  rows.reduce((sum, row) => sum + Math.round((row[member] ?? 0) * 100), 0)

test('the reports of a month agree with its documents, with each other and with what needs a person', async () => {
  const address = { line1: 'Hauptstr. 1', postal_code: '10115', city: 'Berlin', country: 'DE' }
  const { legal_entity: entity } = await client.ok('POST', `${BILLING}/legal_entities`, {
    legal_entity: { name: 'Example GmbH', address, registrations: [{ country: 'DE' }] },
  })
  await client.ok('POST', `${BILLING}/tax_rates`, {
    tax_rate: { name: 'VAT', country: 'DE', percentage: 19, valid_from: '2020-01-01' },
  })
  await client.ok('PUT', `${BILLING}/settings`, {
    settings: { legal_entity_id: entity.id, tax: 'automatic' },
  })
  const { uuid } = await client.createCustomer()
  const create = async (amount: number) =>
    (
      await client.ok('POST', `${BILLING}/invoices`, {
        invoice: {
          customer_uuid: uuid,
          currency: 'EUR',
          lines: [{ label: 'Set-up', quantity: 1, unit_amount: amount }],
          collection: 'send_invoice',
          days_until_due: 14,
        },
      })
    ).invoice
  const [first, second, third] = [await create(100), await create(50.5), await create(20)]
  const day = Temporal.PlainDate.from(first.issue_date)
  const range = `from=${day.subtract({ days: 2 }).toString()}&to=${day.add({ days: 40 }).toString()}`
  await client.ok('POST', `${BILLING}/invoices/${second.id}/credit_notes`, {
    credit_note: { amount: 10, reason: 'Late' },
  })
  const rows = [
    [first.number, '59.00'],
    [third.number, '30.00'],
    ['who knows', '1.00'],
  ].map(([remittance, amount]) => `${day.toString()},${amount},EUR,Ada,,B-${amount},${remittance}`)
  const header = 'booking_date,amount,currency,debtor_name,debtor_iban,bank_reference,remittance'
  await client.ok('POST', `${BILLING}/bank_statements`, {
    bank_statement: { format: 'csv', content: [header, ...rows].join('\n') },
  })
  await client.advanceBy('P20D')

  const documents = await client.all(`${BILLING}/invoices`, 'invoices')
  const signed = (member: string): number =>
    documents.reduce((sum, one) => sum + (one.type === 'invoice' ? 1 : -1) * Math.round(one[member] * 100), 0)
  const { taxes } = await client.ok('GET', `${REPORTS}/invoices/taxes?${range}`)
  expect(taxes).toMatchObject([{ country: 'DE', name: 'VAT', percentage: 19, category: null, documents: 4 }])
  expect(cents(taxes, 'net')).toBe(signed('net_total'))
  expect(cents(taxes, 'tax')).toBe(signed('tax_total'))
  const taxRows = await client.ok('GET', `${REPORTS}/invoices/taxes/rows?${range}&limit=2`)
  expect(taxRows.page.has_more).toBe(true)
  const rest = await client.ok(
    'GET',
    `${REPORTS}/invoices/taxes/rows?${range}&cursor=${taxRows.page.next_cursor}`,
  )
  expect(cents([...taxRows.rows, ...rest.rows], 'tax')).toBe(cents(taxes, 'tax'))
  const { buyers } = await client.ok('GET', `${REPORTS}/invoices/buyers?${range}`)
  expect(cents(buyers, 'net')).toBe(signed('net_total'))

  const { open } = await client.ok('GET', `${REPORTS}/invoices/open`)
  expect(cents(open, 'due')).toBe(documents.reduce((sum, one) => sum + Math.round(one.amount_due * 100), 0))
  const { ages } = await client.ok('GET', `${REPORTS}/invoices/open/ages`)
  expect(ages).toMatchObject([{ currency: 'EUR', invoices: 2, not_due: 0 }])
  expect(cents(ages, '1_30')).toBe(cents(open, 'due'))
  const sheet = (
    await text(`${BILLING}/invoices/spreadsheet.csv?${range}&columns=number,amount_due,paid,paid_on`)
  )
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((row) => row.split(','))
  expect(sheet.reduce((sum, [, due]) => sum + Math.round(Number(due) * 100), 0)).toBe(cents(open, 'due'))
  expect(sheet).toContainEqual([first.number, '60.00', '59.00', day.toString()])

  const { attention } = await client.ok('GET', `${REPORTS}/attention`)
  const counts = Object.fromEntries(
    (attention as { kind: string; count: number }[]).map(({ kind, count }) => [kind, count]),
  )
  expect(counts).toEqual({ invoice_overdue: 2, transfer_unmatched: 1, order_overpaid: 1 })

  await client.ok('POST', `${BILLING}/orders/${third.order_number}/repayments`, {
    repayment: { amount: 30 },
  })
  const { attention: later } = await client.ok('GET', `${REPORTS}/attention`)
  expect(JSON.stringify(later)).toContain(
    `Of the order ${third.order_number}, 23.80 EUR more was given back than was over-paid.`,
  )

  const refused = await client.call('GET', `${BILLING}/invoices/export?format=datev&${range}`)
  expect(refused).toMatchObject({
    status: 409,
    data: { error: { reason: 'accounts_missing' } },
  })
  await client.ok('PUT', `${BILLING}/settings`, {
    settings: {
      accounts: {
        receivables: '1400',
        bank: '1200',
        revenue: [{ percentage: 19, treatment: 'taxed', account: '8400' }],
      },
      datev: { consultant: 1_001, client: 1, fiscal_year_start: '01-01', account_length: 4 },
    },
  })
  const month = `from=${day.toString()}&to=${day.toString()}`
  const file = await text(`${BILLING}/invoices/export?format=datev&${month}`)
  expect(file.split('\r\n').filter((row) => /^\d/.test(row))).toHaveLength(6)
  expect(await text(`${BILLING}/invoices/export?format=datev&${month}`)).toBe(file)
  expect((await client.call('GET', `${REPORTS}/invoices/taxes?from=2026-13-01`)).status).toBe(400)
})
