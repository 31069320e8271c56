import { expect, test } from 'vitest'
import { camt053 } from '../src/modules/bank-transfers/testing/camt.ts'
import { startScenario } from './harness/scenario.ts'

// Proves reference/billing-transfers#statements, reference/billing-transfers#overpayments,
// reference/billing-invoices#correction, reference/billing-tax#rates, reference/billing-reports#taxes,
// reference/billing-reports#open-items, reference/reports#totals.

const { client } = await startScenario()
const BILLING = '/svc/billing/api/v1/openapi'
const REPORTS = '/svc/report/api/v1/openapi'
const WITHIN = { timeout: 60_000, interval: 200 }
const BERLIN = { line1: 'Gasse 1', postal_code: '10115', city: 'Berlin', country: 'DE' }
const VIENNA = { line1: 'Ring 1', postal_code: '1010', city: 'Wien', country: 'AT' }

interface Document {
  readonly id: string
  readonly number: string
  readonly type: string
  readonly order_number: string
  readonly issue_date: string
  readonly net_total: number
  readonly tax_total: number
  readonly total: number
  readonly amount_due: number
  readonly overpaid?: number
}
interface Row {
  readonly [member: string]: number
}

const cents = (amount: number) => Math.round(amount * 100)
const sum = (rows: readonly Row[], member: string) =>
  rows.reduce((total, row) => total + cents(row[member] ?? 0), 0) / 100

test("the newcomers' month: its report, taxes, open items and the bank's balance agree, also after what July corrects", async () => {
  const year = (await client.now()).toZonedDateTimeISO('Asia/Hong_Kong').year + 1
  const day = (monthDay: string) => `${year}-${monthDay}`
  const { legal_entity: entity } = await client.ok('POST', `${BILLING}/legal_entities`, {
    legal_entity: { name: 'Kiln GmbH', address: BERLIN, registrations: [{ country: 'DE' }] },
  })
  const { tax_rate: rate } = await client.ok('POST', `${BILLING}/tax_rates`, {
    tax_rate: { name: 'VAT', country: 'DE', percentage: 19, valid_from: '2020-01-01' },
  })
  await client.ok('PUT', `${BILLING}/settings`, {
    settings: { legal_entity_id: entity.id, tax: 'automatic' },
  })
  const [{ uuid: regular }, { uuid: mover }] = [await client.createCustomer(), await client.createCustomer()]
  const send = async (net: number, customer = regular): Promise<Document> => {
    const lines = [{ label: 'Set-up', quantity: 1, unit_amount: net }]
    const invoice = { customer_uuid: customer, currency: 'EUR', lines, collection: 'send_invoice' }
    return (await client.ok('POST', `${BILLING}/invoices`, { invoice })).invoice
  }
  const upload = async (entries: Parameters<typeof camt053>[0]) => {
    const bank_statement = { format: 'camt053', content: camt053(entries) }
    return (await client.ok('POST', `${BILLING}/bank_statements`, { bank_statement })).bank_statement
  }
  const paidIn = async (from: string, to: string) => {
    const path = `${REPORTS}/totals?from=${day(from)}&to=${day(to)}&currency=EUR`
    const { paid_total, refunded_total, net_total } =
      (await client.ok('GET', path)).totals.currencies[0] ?? {}
    return { paid_total, refunded_total, net_total }
  }
  const taxesIn = async (from: string, to: string) => {
    const path = `${REPORTS}/invoices/taxes?from=${day(from)}&to=${day(to)}`
    const { taxes } = (await client.ok('GET', path)) as { taxes: (Row & { treatment: string })[] }
    return taxes
      .filter(({ net }) => net !== 0)
      .map(({ treatment, percentage, net, tax }) => [treatment, percentage, net, tax])
  }
  /** What is open at the end of a day, by invoice and by age. */
  const openAt = async (at: string) => {
    const { open } = await client.ok('GET', `${REPORTS}/invoices/open?at=${day(at)}`)
    const { ages } = await client.ok('GET', `${REPORTS}/invoices/open/ages?at=${day(at)}`)
    const columns = ['not_due', '1_30', '31_60', '61_90', 'over_90']
    expect(columns.reduce((total, column) => total + sum(ages, column), 0)).toBe(sum(open, 'due'))
    return sum(open, 'due')
  }

  // March: ten invoices of 100.00 to 1,000.00 net.
  await client.advanceTo(`${day('03-02')}T01:00:00Z`)
  const sent: Document[] = []
  for (let nth = 1; nth <= 10; nth++) sent.push(await send(100 * nth, nth === 9 ? mover : regular))
  const of = (nth: number): Document => {
    const found = sent[nth - 1]
    if (found === undefined) throw new Error(`there is no invoice ${nth}`)
    return found
  }

  // April: the statement of March. Seven pay exactly, one too much, one too little, one is taken back, and one pays twice.
  await client.advanceTo(`${day('04-02')}T01:00:00Z`)
  const credit = (reference: string, nth: number, amount: number, monthDay: string) => ({
    amount: amount.toFixed(2),
    date: day(monthDay),
    reference,
    details: [
      {
        endToEndId: `E-${reference}`,
        debtorIban: `DE0212030000000020205${nth % 10}`,
        remittance: of(nth).number,
      },
    ],
  })
  const exact = [1, 2, 3, 4, 5, 6, 7].map((nth) => credit(`B-${nth}`, nth, 119 * nth, `03-0${nth + 2}`))
  const statement = await upload([
    ...exact,
    credit('B-8', 8, 952 + 30, '03-12'),
    credit('B-9', 9, 1_000, '03-13'),
    credit('B-10', 10, 1_190, '03-20'),
    credit('B-11', 1, 119, '03-21'),
    {
      amount: '1190.00',
      date: day('03-28'),
      direction: 'DBIT' as const,
      reference: 'R-10',
      details: [{ endToEndId: 'E-B-10', returned: true }],
    },
  ])
  expect(statement).toMatchObject({ new: 11, unmatched: 1 })
  const query = new URLSearchParams({ filter: 'bank_reference = "B-11"', suggestions: 'true' })
  const { bank_entries: twice } = await client.ok('GET', `${BILLING}/bank_entries?${query.toString()}`)
  expect(twice).toMatchObject([
    { state: 'unmatched', suggestions: [{ reasons: ['paid_twice'], invoices: [] }] },
  ])

  const march = { paid_total: 6_504, refunded_total: 1_190, net_total: 5_314 }
  await expect.poll(() => paidIn('03-01', '03-31'), WITHIN).toEqual(march)
  const bank = { march: 3_332 + 982 + 1_000 + 1_190 + 119 - 1_190, unmatched: 119 }
  expect(march.net_total + bank.unmatched).toBe(bank.march)
  expect(await taxesIn('03-01', '03-31')).toEqual([['taxed', 19, 5_500, 1_045]])
  expect(await openAt('03-31')).toBe(71 + 1_190)

  // The buyer of the ninth has moved to Vienna; what is over-paid of the eighth goes back.
  await client.ok('PUT', `${BILLING}/customers/${mover}/billing_details`, {
    billing_details: { address: VIENNA, tax_ids: [{ type: 'vat', value: 'ATU13585627' }] },
  })
  const { invoice: corrected } = await client.ok('POST', `${BILLING}/invoices/${of(9).id}/reissue`, {})
  expect(corrected).toMatchObject({ total: 900, state: 'paid', overpaid: 100 })
  await client.ok('POST', `${BILLING}/orders/${of(8).order_number}/repayments`, { repayment: {} })
  expect(await taxesIn('04-01', '04-30')).toEqual([
    ['reverse_charge', 0, 900, 0],
    ['taxed', 19, -900, -171],
  ])
  await expect
    .poll(() => paidIn('04-01', '04-30'), WITHIN)
    .toEqual({ paid_total: 0, refunded_total: 30, net_total: -30 })

  // July: another rate. June keeps its own, also where it is corrected in July.
  await client.advanceTo(`${day('06-30')}T01:00:00Z`)
  const june = await send(100)
  await client.ok('POST', `${BILLING}/tax_rates`, {
    tax_rate: {
      name: 'VAT',
      country: 'DE',
      percentage: 16,
      valid_from: day('07-01'),
      replaces: rate.id,
    },
  })
  await client.advanceTo(`${day('07-03')}T01:00:00Z`)
  expect(await send(100)).toMatchObject({ tax_total: 16, total: 116 })
  const { invoice: again } = await client.ok('POST', `${BILLING}/invoices/${june.id}/reissue`, {})
  expect(again).toMatchObject({ tax_total: 19, total: 119, amount_due: 119 })
  // The note of the old invoice and the new one cancel each other.
  expect(await taxesIn('07-01', '07-31')).toEqual([['taxed', 16, 100, 16]])

  const documents = (await client.all(`${BILLING}/invoices`, 'invoices')) as Document[]
  const signed = (member: 'net_total' | 'tax_total' | 'total') =>
    documents.reduce((total, one) => total + (one.type === 'invoice' ? 1 : -1) * cents(one[member]), 0) / 100
  const whole = await taxesIn('01-01', '12-31')
  expect(whole.reduce((total, [, , net]) => total + Number(net), 0)).toBe(signed('net_total'))
  expect(whole.reduce((total, [, , , tax]) => total + Number(tax), 0)).toBe(signed('tax_total'))
  const invoices = documents.filter(({ type }) => type === 'invoice')
  const open = await openAt('07-03')
  expect(open).toBe(invoices.reduce((total, { amount_due }) => total + cents(amount_due), 0) / 100)
  const overpaid = invoices.reduce((total, one) => total + cents(one.overpaid ?? 0), 0) / 100
  const { net_total: received } = await paidIn('01-01', '07-31')
  expect(received).toBe(bank.march - bank.unmatched - 30)
  expect(signed('total') - received).toBe(open - overpaid)
}, 180_000)
