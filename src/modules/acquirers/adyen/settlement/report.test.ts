import { afterAll, describe, expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import { startHttpServer } from '#platform/testing/http-server'
import type { Notice } from '../../port/notices.ts'
import { adyenAdapter } from '../index.ts'
import { readRow } from '#kernel/csv'
import { linesFrom, type Report } from './report.ts'

// Proves reference/acquirers#adyen.
const COLUMNS = `Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation Date,TimeZone,Type,\
Modification Reference,Gross Currency,Gross Debit (GC),Gross Credit (GC),Exchange Rate,Net Currency,Net Debit (NC),\
Net Credit (NC),Commission (NC),Markup (NC),Scheme Fees (NC),Interchange (NC),Payment Method Variant`
const at = realClock.now()

function report(...rows: string[]): Report {
  return { name: 'batch', at, text: [COLUMNS, ...rows].join('\n') }
}

function entriesOf(source: Report) {
  return [...linesFrom(source, 0)].map(({ entry }) => entry)
}

describe('lines as Adyen documents them', () => {
  const SETTLED =
    'TestCompany,TestMerchant,1813702551707653,3vpzf7,visa,2013-06-03 11:26:49,CET,Settled,1713702551795048,GBP,,5.00,1,GBP,,4.88,,0.04,0.01,0.07,visaclassic'
  const CHARGEBACK =
    'TestCompany,TestMerchant,1313642467023511,324959451,visa,2013-03-26 22:37:26,CET,Chargeback,2313642467170922,EUR,349.99,,1,EUR,357.49,,7.5,,,,visaclassic'

  test('a settled payment has its gross, its fees and its net', () => {
    expect(entriesOf(report(SETTLED))).toMatchObject([
      {
        type: 'payment',
        reference: '1813702551707653',
        grossMinor: 500n,
        feeMinor: 12n,
        netMinor: 488n,
        paid: null,
      },
    ])
  })

  test('a chargeback is a dispute by its own reference, and its fee is added', () => {
    expect(entriesOf(report(CHARGEBACK))).toMatchObject([
      {
        type: 'dispute',
        reference: '2313642467170922',
        grossMinor: -34_999n,
        feeMinor: 750n,
        netMinor: -35_749n,
      },
    ])
  })

  test('what the payer paid in another currency stands beside', () => {
    const foreign = SETTLED.replace('GBP,,5.00,1,GBP,,4.88', 'JPY,,900,0.0055,GBP,,4.88')
    expect(entriesOf(report(foreign))).toMatchObject([
      { currency: 'GBP', grossMinor: 500n, paid: { currency: 'JPY', amountMinor: 900n } },
    ])
  })

  test('currencies whose decimals are Adyen’s own are read by ours', () => {
    const island = SETTLED.replace('GBP,,5.00,1,GBP,,4.88,,0.04,0.01,0.07', 'ISK,,5.00,1,ISK,,5.00,,,,')
    expect(entriesOf(report(island))).toMatchObject([{ currency: 'ISK', grossMinor: 5n, feeMinor: 0n }])
  })

  test('columns are found by name, and unknown kinds of lines are kept', () => {
    const text =
      'Type,Net Currency,Net Debit (NC),Net Credit (NC),Psp Reference\nDepositCorrection,EUR,3.00,,\n'
    expect(entriesOf({ name: 'batch', at, text })).toMatchObject([
      { type: 'other', acquirerType: 'DepositCorrection', netMinor: -300n, reference: null },
    ])
  })

  test('an amount without decimals that is written with zeros is read', () => {
    const yen = SETTLED.replace(
      'GBP,,5.00,1,GBP,,4.88,,0.04,0.01,0.07',
      'JPY,,7001.00,1,JPY,,6900.00,,101.00,,',
    )
    expect(entriesOf(report(yen))).toMatchObject([
      { currency: 'JPY', grossMinor: 7001n, feeMinor: 101n, netMinor: 6900n },
    ])
  })

  test('an amount that the currency cannot have fails its line, and the others are read', () => {
    const yen = SETTLED.replace('GBP,,5.00,1,GBP,,4.88,,0.04,0.01,0.07', 'JPY,,7001,1,JPY,,6900.5,,,,')
    const paid = SETTLED.replace('GBP,,5.00,1,GBP', 'JPY,,7001.5,1,GBP')
    const failed = { reference: '1813702551707653', grossMinor: 0n, netMinor: 0n, paid: null }
    expect(entriesOf(report(yen, SETTLED, paid))).toMatchObject([
      { ...failed, type: 'payment', currency: 'JPY', acquirerType: 'Settled, unreadable amount' },
      { acquirerType: 'Settled', grossMinor: 500n },
      { ...failed, currency: 'GBP' },
    ])
  })

  test('a report that makes no sense stops the reading', () => {
    expect(() => entriesOf(report(SETTLED.replaceAll('GBP', 'XXX')))).toThrow('has no currency')
    expect(() => entriesOf({ name: 'batch', at, text: 'A,B\n1,2\n' })).toThrow('has no column Psp Reference')
    expect(() => entriesOf({ name: 'batch', at, text: '' })).toThrow('is empty')
  })
})

describe('CSV', () => {
  test.each([
    ['a,b\nc', ['a', 'b'], 4],
    ['a,b\r\nc', ['a', 'b'], 5],
    ['"a,b","say ""hi""",\nc', ['a,b', 'say "hi"', ''], 20],
    ['"two\nlines",x', ['two\nlines', 'x'], 13],
    [',', ['', ''], 1],
  ])('%j', (text, cells, next) => {
    expect(readRow(text, 0)).toEqual({ cells, next })
  })

  test('an unfinished quotation or an endless row is refused', () => {
    expect(() => readRow('"a,b\n', 0)).toThrow('is not CSV')
    expect(() => readRow('"a"b\n', 0)).toThrow('is not CSV')
    expect(() => readRow('a,'.repeat(20_000), 0)).toThrow('is not CSV')
    expect(readRow('a', 1)).toBeNull()
  })
})

describe('downloading', async () => {
  let reply = { status: 200, text: `${COLUMNS}\n` }
  const asked: string[] = []
  const apiBase = await startHttpServer((request, response) => {
    asked.push(`${request.url} ${String(request.headers['x-api-key'])}`)
    response.writeHead(reply.status).end(reply.text)
  })
  let url = `${apiBase}/reports/a.csv`
  const facts = {
    pspReference: 'settlement_detail_report_batch_1.csv',
    success: 'true',
    eventDate: at.toString(),
  }
  const subject = { kind: 'report', reference: 'settlement_detail_report', key: null } as const
  const notice = (): Notice => ({
    id: '1',
    type: 'REPORT_AVAILABLE',
    subject,
    facts: { ...facts, reason: url },
  })
  const connected = adyenAdapter.connect(
    {
      environment: 'test',
      credentials: {
        api_key: 'AQE',
        client_key: 'test_1',
        merchant_account: 'Shop',
        hmac_key: 'AB'.repeat(32),
      },
      apiBase,
      statementDescriptor: null,
      merchantId: 'Shop',
    },
    { connect: {}, timeoutMs: 60_000, findNotices: async () => [notice()] },
  )
  afterAll(() => connected.disconnect())
  const entries = () =>
    connected.settlement.entries({
      from: at.subtract({ hours: 1 }),
      until: at.add({ hours: 1 }),
      cursor: null,
    })

  test.each([
    'https://adyen.com.example/a.csv',
    'https://evil-adyen.com/a.csv',
    'http://ca-test.adyen.com/a.csv',
    'http://127.0.0.1:1/a.csv',
    'file:///etc/passwd',
    'nowhere',
  ])('%s is not asked', async (place) => {
    url = place
    expect(await entries()).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('not at a host of Adyen'),
    })
    expect(asked).toEqual([])
  })

  test.each([
    [503, 'unavailable'],
    [429, 'unavailable'],
    [403, 'refused'],
    [404, 'refused'],
  ])('HTTP %i is %s', async (status, kind) => {
    url = `${apiBase}/reports/a.csv`
    reply = { status, text: '' }
    expect(await entries()).toMatchObject({ kind })
  })

  test('a report that cannot be read is refused, a good one is asked for once', async () => {
    reply = { status: 200, text: 'no,report' }
    expect(await entries()).toMatchObject({ kind: 'refused', message: expect.stringContaining('no column') })
    expect(asked.at(-1)).toBe('/reports/a.csv AQE')
  })
})

test('100,000 lines are read in a few seconds', () => {
  const row =
    'C,M,1813702551707653,r,visa,2013-06-03 11:26:49,CET,Settled,17137,GBP,,5.00,1,GBP,,4.88,,0.04,0.01,0.07,visa'
  const big = report(...Array.from({ length: 100_000 }, () => row))
  let sum = 0n
  for (const { entry } of linesFrom(big, 0)) sum += entry.netMinor
  expect(sum).toBe(48_800_000n)
})
