import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasDescriptions, problemsOfNotice } from './testing/descriptions.ts'
import {
  API_KEY,
  CARD,
  HMAC_KEY,
  itemOf,
  payment,
  startReceiver,
  startWitnessedTwin,
  type WitnessedTwin,
} from './testing/witness.ts'

const ACCOUNT = 'TwinSettled, "ECOM"'

let twin: WitnessedTwin
let receiver: Awaited<ReturnType<typeof startReceiver>>

beforeAll(async () => {
  twin = await startWitnessedTwin()
  receiver = await startReceiver()
  await twin.control('PUT', 'notices', { url: receiver.url, secret: HMAC_KEY })
})

afterAll(async () => {
  await twin.close()
  await receiver.close()
})

type Row = Readonly<Record<string, string>>

/** A plain reader of RFC 4180. */
function rowsOf(csv: string): Row[] {
  const [header, ...lines] = csv.trimEnd().split('\n')
  const names = header?.split(',') ?? []
  return lines.map((line) => {
    const cells = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)]
    expect(cells).toHaveLength(names.length)
    return Object.fromEntries(
      names.map((name, index) => [name, cells[index]?.[1]?.replaceAll('""', '"') ?? cells[index]?.[2] ?? '']),
    )
  })
}

async function settled(currency: string, value: number, holderName = 'John Smith'): Promise<string> {
  const reference = `settled-${currency}-${value}`
  const members = {
    merchantAccount: ACCOUNT,
    amount: { currency, value },
    additionalData: {},
    paymentMethod: { ...CARD, holderName },
  }
  const { body } = await twin.post('/v72/payments', payment(reference, members))
  expect(body.resultCode).toBe('Authorised')
  return body.pspReference
}

async function reportNamed(fileName: string): Promise<Row[]> {
  const items = receiver.received.map(itemOf)
  const url = items.find(({ pspReference }) => pspReference === fileName)?.reason ?? ''
  const answer = await fetch(url, { headers: { 'x-api-key': API_KEY } })
  expect(answer.headers.get('content-type')).toContain('text/csv')
  return rowsOf(await answer.text())
}

test('a settlement report has a line for each movement, in major units, and its payout is their sum', async () => {
  const paid = await settled('EUR', 12_345)
  await twin.post(`/v72/payments/${paid}/refunds`, {
    merchantAccount: ACCOUNT,
    reference: 'the-refund',
    amount: { currency: 'EUR', value: 1_000 },
  })
  await settled('EUR', 5_000, 'Chargeback')
  await settled('JPY', 900)
  await settled('KWD', 12_345)
  const { batches } = await twin.control('POST', 'settle', { account: ACCOUNT })
  expect(batches).toHaveLength(3)
  const reports = () =>
    receiver.received.map(itemOf).filter(({ eventCode }) => eventCode === 'REPORT_AVAILABLE')
  await expect.poll(reports).toHaveLength(3)
  if (hasDescriptions) expect(receiver.received.flatMap(({ body }) => problemsOfNotice(body))).toEqual([])

  const rows = await reportNamed('settlement_detail_report_batch_1.csv')
  expect(rows.map((row) => row['Type'])).toEqual([
    'Settled',
    'Refunded',
    'Settled',
    'Chargeback',
    'Fee',
    'MerchantPayout',
  ])
  expect(rows[0]).toMatchObject({
    'Merchant Account': ACCOUNT,
    'Psp Reference': paid,
    'Merchant Reference': 'settled-EUR-12345',
    'Gross Currency': 'EUR',
    'Gross Credit (GC)': '123.45',
    'Net Credit (NC)': '122.31',
    'Markup (NC)': '0.74',
    'Scheme Fees (NC)': '0.15',
    'Interchange (NC)': '0.25',
    'Batch Number': '1',
  })
  expect(rows[1]).toMatchObject({
    'Psp Reference': paid,
    'Gross Debit (GC)': '10.00',
    'Net Debit (NC)': '10.00',
    'Modification Merchant Reference': 'the-refund',
  })
  const net = (row: Row) => Number(row['Net Credit (NC)'] || 0) - Number(row['Net Debit (NC)'] || 0)
  expect(rows.reduce((sum, row) => sum + net(row), 0)).toBeCloseTo(0, 9)

  const [yen] = await reportNamed('settlement_detail_report_batch_2.csv')
  expect(yen).toMatchObject({ 'Gross Currency': 'JPY', 'Gross Credit (GC)': '900' })
  const [dinar] = await reportNamed('settlement_detail_report_batch_3.csv')
  expect(dinar).toMatchObject({ 'Gross Currency': 'KWD', 'Gross Credit (GC)': '12.345' })
})

test('what was in a batch is in no later one, and a report needs a key', async () => {
  const again = await twin.control('POST', 'settle', { account: ACCOUNT })
  expect(again.batches).toEqual([])
  const url =
    receiver.received.map(itemOf).find(({ eventCode }) => eventCode === 'REPORT_AVAILABLE')?.reason ?? ''
  expect((await fetch(url)).status).toBe(401)
  const missing = await fetch(`${url}.gz`, { headers: { 'x-api-key': API_KEY } })
  expect(missing.status).toBe(404)
})
