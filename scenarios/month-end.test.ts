import { expect, test } from 'vitest'
import { camt053 } from '../src/modules/bank-transfers/testing/camt.ts'
import { startScenario } from './harness/scenario.ts'

const { client } = await startScenario()
const BILLING = '/svc/billing/api/v1/openapi'
const PAYMENTS = '/svc/payment/api/v1/openapi'
const REPORTS = '/svc/report/api/v1/openapi'
const WITHIN = { timeout: 60_000, interval: 200 }

const iban = (index: number) => `DE0212030000000020205${index}`

interface Row {
  readonly [column: string]: string
}

/** Reads a spreadsheet of texts without quotes. */
async function rowsOf(path: string): Promise<Row[]> {
  const { api_key: key, base_url: base } = client.sandbox
  const response = await fetch(`${base}${path}`, { headers: { authorization: `Bearer ${key}` } })
  const [head = '', ...lines] = (await response.text()).replace('\uFEFF', '').split('\r\n').slice(0, -1)
  const names = head.split(',')
  return lines.map((line) =>
    Object.fromEntries(line.split(',').map((cell, index) => [names[index] ?? '', cell])),
  )
}

// Proves reference/reports#days, reference/reports#totals, reference/payments#value-dates, reference/billing-tax#closed-months.
test('the statement of March that comes in April stands in March, until March is closed', async () => {
  const year = (await client.now()).toZonedDateTimeISO('Asia/Hong_Kong').year + 1
  const day = (monthDay: string) => `${year}-${monthDay}`
  const { legal_entity: entity } = await client.ok('POST', `${BILLING}/legal_entities`, {
    legal_entity: {
      name: 'Kiln GmbH',
      address: { line1: 'Gasse 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
      registrations: [],
    },
  })
  const { uuid } = await client.createCustomer()
  await client.advanceTo(`${day('03-01')}T01:00:00Z`)
  const send = async (): Promise<{ number: string; order_number: string; id: string }> =>
    (
      await client.ok('POST', `${BILLING}/invoices`, {
        invoice: {
          customer_uuid: uuid,
          currency: 'EUR',
          lines: [{ label: 'Set-up', quantity: 1, unit_amount: 100 }],
          legal_entity_id: entity.id,
          collection: 'send_invoice',
          days_until_due: 90,
        },
      })
    ).invoice
  const [first, second, third, fourth] = [await send(), await send(), await send(), await send()]
  await client.advanceTo(`${day('04-02')}T01:00:00Z`)
  const marchTotals = async () =>
    (await client.ok('GET', `${REPORTS}/totals?from=${day('03-01')}&to=${day('03-31')}&currency=EUR`)).totals
  const march = async () => {
    const { paid_total, refunded_total, net_total } = (await marchTotals()).currencies[0]
    return { paid_total, refunded_total, net_total }
  }
  const april = async () =>
    (await client.ok('GET', `${REPORTS}/overview?from=${day('04-01')}&to=${day('04-30')}&currency=EUR`))
      .overview
  const upload = async (entries: Parameters<typeof camt053>[0]) =>
    (
      await client.ok('POST', `${BILLING}/bank_statements`, {
        bank_statement: { format: 'camt053', content: camt053(entries) },
      })
    ).bank_statement
  const credit = (index: number, date: string, remittance: string) => ({
    amount: '100.00',
    date,
    reference: `B-${index}`,
    details: [{ endToEndId: `E-${index}`, debtorIban: iban(index), remittance }],
  })
  expect(await marchTotals()).toMatchObject({ counted_at: null })

  await upload([
    credit(1, day('03-05'), first.number),
    credit(2, day('03-31'), second.number),
    credit(3, day('04-01'), third.number),
  ])
  await expect.poll(march, WITHIN).toEqual({ paid_total: 200, refunded_total: 0, net_total: 200 })
  expect((await marchTotals()).counted_at).not.toBeNull()
  const counted = await april()
  expect(counted.days[0]).toMatchObject({ date: day('04-01'), paid_total: 100 })
  expect(counted.days[0].counted_at).not.toBeNull()
  const { transactions } = await client.ok(
    'GET',
    `${PAYMENTS}/transactions?filter=${encodeURIComponent(`value_date <= "${day('03-31')}"`)}`,
  )
  expect(transactions.map((one: { value_date: string }) => one.value_date).toSorted()).toEqual([
    day('03-05'),
    day('03-31'),
  ])
  expect(transactions[0].created_at.slice(0, 10)).toBe(day('04-02'))

  // March is closed: what comes later for it counts on 1 April.
  await client.ok('PUT', `${BILLING}/settings`, { settings: { locked_until: day('03-31') } })
  expect(await upload([credit(4, day('03-30'), fourth.number)])).toMatchObject({
    matched: 1,
    counted_later: 1,
  })
  const { bank_entries: later } = await client.ok(
    'GET',
    `${BILLING}/bank_entries?filter=${encodeURIComponent('counted_on:*')}`,
  )
  expect(later).toMatchObject([{ booking_date: day('03-30'), counted_on: day('04-01') }])
  const { bank_entries: entries } = await client.ok('GET', `${BILLING}/bank_entries`)
  const ofFirst = entries.find((one: { bank_reference: string }) => one.bank_reference === 'B-1')
  const refused = await client.call('POST', `${BILLING}/bank_entries/${ofFirst.id}/unmatch`)
  expect(refused).toMatchObject({ status: 409, data: { error: { reason: 'period_locked' } } })
  const opened = await client.call('PUT', `${BILLING}/settings`, { settings: { locked_until: null } })
  expect(opened).toMatchObject({ status: 403, data: { error: { reason: 'owner_required' } } })

  // The bank takes the first transfer back in April. March stays as it was filed.
  const returned = { amount: '100.00', date: day('04-02'), direction: 'DBIT' as const, reference: 'R-1' }
  await upload([{ ...returned, details: [{ endToEndId: 'E-1', returned: true }] }])
  const aprilDays = async () =>
    (await april()).days
      .slice(0, 2)
      .map((one: { paid_total: number; refunded_total: number }) => [one.paid_total, one.refunded_total])
  await expect.poll(aprilDays, WITHIN).toEqual([
    [200, 0],
    [0, 100],
  ])
  expect(await march()).toEqual({ paid_total: 200, refunded_total: 0, net_total: 200 })

  // The file of a month sums to its totals.
  const files = { '03': [day('03-01'), day('03-31')], '04': [day('04-01'), day('04-30')] } as const
  const netOf = async ([from, to]: readonly [string, string]) => {
    const rows = await rowsOf(`${PAYMENTS}/transactions/spreadsheet.csv?from=${from}&to=${to}`)
    return rows.reduce((sum, row) => sum + Number(row['Counts in these days']), 0)
  }
  expect(await netOf(files['03'])).toBe(200)
  expect(await netOf(files['04'])).toBe(100)
})
