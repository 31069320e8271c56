import { expect, test } from 'vitest'
import { walletSettings } from './harness/chains.ts'
import { PAYMENTS } from './harness/client.ts'
import { operationsOf } from './harness/operations.ts'
import { createPerson, signIn } from './harness/people.ts'
import { startScenario } from './harness/scenario.ts'

const { client, service } = await startScenario({ env: await walletSettings() })
const customer = await client.createCustomer()
const { token } = await client.bindCard(customer.uuid, '4242424242424242')
const order = await client.createOrder({ customer_uuid: customer.uuid, initial_total: 20 })
await client.pay(order.number, token, {})

/** Those of the business: a customer's browser, which calls the portal, asks for no files of lists. */
const lists = (await operationsOf(client)).filter(
  ({ method, path, parameters }) =>
    method === 'GET' &&
    !path.startsWith('/svc/portal/') &&
    !path.includes('{') &&
    parameters.some(({ name }) => name === 'cursor'),
)

async function csv(path: string) {
  const { api_key: key, base_url: base } = client.sandbox
  const response = await fetch(`${base}${path}`, {
    headers: { authorization: `Bearer ${key}`, accept: 'text/csv' },
  })
  const bytes = await response.bytes()
  // `text()` would take away the byte order mark.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  return { status: response.status, headers: response.headers, text }
}

// Proves reference/conventions#csv.
test('there are lists of every kind', () => {
  expect(lists.length).toBeGreaterThanOrEqual(12)
})

test.each(lists)('$path is a CSV file', async ({ path, parameters }) => {
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
  const query = required.map(({ name }) => `${name}=none`).join('&')
  const { status, headers, text } = await csv(query === '' ? path : `${path}?${query}`)
  if (query !== '' && status === 404) return
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const [names = '', ...rows] = text.split('\r\n')
  expect(names).toMatch(/^[a-z0-9_.]+(?:,[a-z0-9_.]+)+$/)
  expect(rows.at(-1)).toBe('')
})

test('transactions are exported with the columns that were chosen, as the filter leaves them', async () => {
  const columns = 'order_number,type,amount,payment_data.last_4_digits'
  const filter = encodeURIComponent('state = succeeded')
  const { text } = await csv(`${PAYMENTS}/transactions?columns=${columns}&filter=${filter}`)
  expect(text).toBe(`${columns}\r\n${order.number},Sales,20.00,4242\r\n`)
  const none = await csv(
    `${PAYMENTS}/transactions?columns=uuid&filter=${encodeURIComponent('state = voided')}`,
  )
  expect(none.text).toBe('uuid\r\n')
  const wrong = await csv(`${PAYMENTS}/transactions?filter=${encodeURIComponent('color = red')}`)
  expect(wrong.status).toBe(400)
  expect(JSON.parse(wrong.text)).toMatchObject({ data: { error: { reason: 'invalid_filter' } } })
})

// Proves reference/conventions#spreadsheets.
test('a spreadsheet of a month has the names of its days, columns in the language, and what the list shows', async () => {
  const query = 'from=2026-11-01&to=2026-11-30'
  const month = await csv(`${PAYMENTS}/transactions/spreadsheet.csv?${query}`)
  expect(month.status).toBe(200)
  expect(month.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(month.headers.get('content-disposition')).toBe(
    'attachment; filename="transactions-2026-11-01-to-2026-11-30.csv"',
  )
  const columns = 'customer,order_reference,amount,currency'
  const { text } = await csv(
    `${PAYMENTS}/transactions/spreadsheet.csv?period=today&language=zh-Hans&columns=${columns}`,
  )
  expect(text.split('\r\n')).toEqual([
    '\uFEFF客户,订单参考编号,金额,货币',
    `Chan Tai Man,${order.reference_number},20.00,HKD`,
    '',
  ])
  const orders = await csv(
    `${PAYMENTS}/orders/spreadsheet.csv?columns=paid_total,state&filter=state:completed`,
  )
  expect(orders.text).toBe('\uFEFFPaid,State\r\n20.00,completed\r\n')
  const refused = await csv(`${PAYMENTS}/orders/spreadsheet.csv?from=2026-02-01&to=2026-01-01`)
  expect(JSON.parse(refused.text)).toMatchObject({
    code: 42283,
    data: { error: { reason: 'invalid_date_range', param: 'from' } },
  })
})

// Proves reference/billing-documents#months.
test('a month without invoices is a ZIP with an index only, and a wrong month is refused by its name', async () => {
  const archive = (month: string) => csv(`/svc/billing/api/v1/openapi/invoices/export.zip?month=${month}`)
  const { status, headers, text } = await archive('2026-10')
  expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
    200,
    'application/zip',
    'attachment; filename="invoices-2026-10.zip"',
  ])
  expect([text.startsWith('PK\u0003\u0004'), text.includes('index.csv')]).toEqual([true, true])
  expect(JSON.parse((await archive('2026-13')).text)).toMatchObject({
    message: expect.stringMatching(/^month must be a month as YYYY-MM/),
    data: { error: { reason: 'invalid_query_value', param: 'month' } },
  })
  expect(JSON.parse((await archive('2999-01')).text)).toMatchObject({
    message: expect.stringMatching(/^month must not be after the current month, \d{4}-\d\d/),
    data: { error: { reason: 'invalid_date_range', param: 'month' } },
  })
})

// Proves reference/reports#totals, reference/reports#ranges.
test('the totals of a range and their spreadsheet have the payment of today', async () => {
  const totals = async () =>
    (await client.ok('GET', '/svc/report/api/v1/openapi/totals?period=last_7_days')).totals
  await expect.poll(async () => (await totals()).currencies[0].paid_total, { timeout: 60_000 }).toBe(20)
  const { from, to } = await totals()
  const { text, headers } = await csv(
    `/svc/report/api/v1/openapi/totals/spreadsheet.csv?from=${from}&columns=date,paid_total,net_total`,
  )
  expect(headers.get('content-disposition')).toBe(`attachment; filename="totals-${from}-to-${to}.csv"`)
  expect(text).toBe(`\uFEFFDate,Paid,Net\r\n${to},20.00,20.00\r\n`)
})

// Proves reference/console#downloads.
test('a link of the console downloads a list in the environment that it names, for its own user and pages only', async () => {
  const { base_url: base, customer_code: code } = client.sandbox
  await createPerson(service, { email: 'reader@example.com', role: 'read_only' })
  const cookie = await signIn(service, 'reader@example.com')
  const download = async (path: string, headers: Record<string, string>) => {
    const response = await fetch(`${base}/console/downloads/${code}/${path}`, { headers })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const own = { cookie, 'sec-fetch-site': 'same-origin' }
  const list = `${PAYMENTS}/transactions?columns=uuid&filter=${encodeURIComponent('state = succeeded')}`
  const { status, headers, text } = await download(`test${list}`, own)
  expect([status, text]).toEqual([200, (await csv(list)).text])
  expect(headers.get('content-disposition')).toBe('attachment; filename="transactions.csv"')
  expect((await download(`live${list}`, own)).text).toBe('uuid\r\n')
  expect((await download(`test${list}`, { ...own, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await download(`test${list}`, {})).status).toBe(401)
  const other = await fetch(`${base}/console/downloads/mch_other/test${list}`, { headers: own })
  expect(other.status).toBe(403)
})
