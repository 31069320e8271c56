import { afterAll, expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import type { Currency } from '#kernel/currencies'
import type { Payout } from '../../port/settlement.ts'
import { type HttpReply, type Asked, startDouble } from '../testing/double.ts'

// Proves reference/acquirers#airwallex.
const double = await startDouble()
const acquirer = double.connect({ currencies: ['GBP'] })
afterAll(() => acquirer.disconnect())

const TYPES = 'GET /pa/config/payment_method_types'
const BATCHES = 'GET /pa/financial/settlements'
const RECORDS = 'GET /pa/settlement_records'
const types: HttpReply = [
  200,
  { has_more: false, items: [{ name: 'card', transaction_currencies: ['HKD', 'USD'] }] },
]
const since = realClock.now().subtract({ hours: 24 })

async function payouts(paidIn: readonly Currency[]): Promise<Payout[]> {
  const found: Payout[] = []
  let cursor: string | null = null
  do {
    const reply = await acquirer.settlement.payouts({
      createdAfter: since,
      cursor,
      paidIn: async () => paidIn,
    })
    if (reply.kind !== 'ok') throw new Error(`unexpected ${reply.kind}`)
    found.push(...reply.value.items)
    cursor = reply.value.nextCursor
  } while (cursor !== null)
  return found
}

const batch = (currency: string, n: number) => ({
  id: `bat_20261129_${currency}_${n}`,
  amount: 96.71,
  fee: -3.3,
  currency,
  status: 'SETTLED',
  settled_at: '2026-11-29T02:00:00+0000',
})

test('batches are asked for in each currency that was paid, is open or is named, page by page', async () => {
  const pages: Record<string, number> = { HKD: 3, EUR: 1 }
  double.answer({
    [TYPES]: types,
    [BATCHES]: ({ query }: Asked): HttpReply => {
      const currency = query.get('currency') ?? ''
      const page = Number(query.get('page_num'))
      const count = pages[currency] ?? 0
      return [200, { has_more: page + 1 < count, items: page < count ? [batch(currency, page + 1)] : [] }]
    },
  })
  const found = await payouts(['EUR', 'HKD'])
  expect(found.map(({ id }) => id)).toEqual([
    'bat_20261129_EUR_1',
    'bat_20261129_HKD_1',
    'bat_20261129_HKD_2',
    'bat_20261129_HKD_3',
  ])
  expect(found[0]).toMatchObject({ currency: 'EUR', amountMinor: 9_671n, state: 'paid' })
  const asked = double.asked.filter(({ target }) => target === BATCHES).map(({ query }) => query)
  expect(asked.map((query) => query.get('currency'))).toEqual(['EUR', 'GBP', 'HKD', 'HKD', 'HKD', 'USD'])
  for (const query of asked) {
    expect(query.get('status')).toBe('SETTLED')
    for (const name of ['from_settled_at', 'to_settled_at'])
      expect(query.get(name)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/)
  }
  expect(double.asked.filter(({ target }) => target === TYPES)).toHaveLength(2)
})

test('a currency is asked for that Airwallex has closed since it was paid', async () => {
  double.answer({
    [TYPES]: [200, { has_more: false, items: [] }],
    [BATCHES]: ({ query }: Asked): HttpReply => [
      200,
      { has_more: false, items: [batch(query.get('currency') ?? '', 1)] },
    ],
  })
  expect((await payouts(['SGD'])).map(({ currency }) => currency)).toEqual(['GBP', 'SGD'])
})

const record = (n: number, more: object = {}) => ({
  transaction_id: `ftx_${n}`,
  payment_intent_id: 'int_1',
  source_id: 'att_1',
  transaction_type: 'Payment',
  transaction_amount: 100.01,
  transaction_currency: 'HKD',
  gross_amount: 100.01,
  fees: -3.3,
  taxes_on_fees: -0.1,
  net_amount: 96.61,
  settlement_currency: 'HKD',
  ...more,
})

test('records are read 50 at a time, by the cursor of the page before', async () => {
  const all = Array.from({ length: 101 }, (_, n) => record(n))
  double.answer({
    [RECORDS]: ({ query }: Asked): HttpReply => {
      const start = Number(query.get('page')?.slice('after-'.length) ?? 0)
      const end = start + Number(query.get('page_size'))
      return [200, { has_more: end < all.length, page_after: `after-${end}`, items: all.slice(start, end) }]
    },
  })
  const ids: string[] = []
  let cursor: string | null = null
  do {
    const reply = await acquirer.settlement.payoutEntries({ payoutId: 'bat_20261129_HKD_1', cursor })
    if (reply.kind !== 'ok') throw new Error(`unexpected ${reply.kind}`)
    ids.push(...reply.value.items.map(({ id }) => id))
    cursor = reply.value.nextCursor
  } while (cursor !== null)
  expect(new Set(ids).size).toBe(101)
  expect(double.asked.map(({ query }) => query.get('page_size'))).toEqual(['50', '50', '50'])
})

test.each<[string, object, object]>([
  [
    'a payment',
    {},
    { type: 'payment', reference: 'int_1', grossMinor: 10_001n, feeMinor: 340n, netMinor: 9_661n },
  ],
  [
    'a refund with a sign',
    { transaction_type: 'Refund', source_id: 'rfd_1', gross_amount: -10, fees: 0, taxes_on_fees: 0 },
    { type: 'refund', reference: 'rfd_1', grossMinor: -1_000n, netMinor: -1_000n },
  ],
  [
    'a refund without one',
    { transaction_type: 'Refund', source_id: 'rfd_1', gross_amount: 10, fees: 0, taxes_on_fees: 0 },
    { type: 'refund', reference: 'rfd_1', grossMinor: -1_000n, netMinor: -1_000n },
  ],
  [
    'a dispute',
    { transaction_type: 'Dispute', source_id: 'dis_1', gross_amount: 10, fees: 0, taxes_on_fees: 0 },
    { type: 'dispute', reference: 'dis_1', grossMinor: -1_000n },
  ],
  [
    'a dispute that was won',
    { transaction_type: 'Dispute Reversal', source_id: 'dis_1', gross_amount: 10 },
    { type: 'dispute', grossMinor: 1_000n },
  ],
  [
    'a hold of a reserve',
    { transaction_type: 'Payment reserve hold', gross_amount: -5, fees: 0, taxes_on_fees: 0 },
    { type: 'other', acquirerType: 'Payment reserve hold', reference: null, grossMinor: -500n },
  ],
  [
    'another currency',
    { transaction_currency: 'USD', transaction_amount: 12.8 },
    { paid: { currency: 'USD', amountMinor: 1_280n } },
  ],
  [
    'an amount that is no number',
    { transaction_type: 'Fees', gross_amount: null },
    { type: 'fee', acquirerType: 'Fees, unreadable amount', grossMinor: 0n, feeMinor: 0n, netMinor: 0n },
  ],
])('a line is read: %s', async (_, more, entry) => {
  double.answer({ [RECORDS]: [200, { has_more: false, page_after: null, items: [record(1, more)] }] })
  const reply = await acquirer.settlement.payoutEntries({ payoutId: 'bat_20261129_HKD_1', cursor: null })
  expect(reply).toMatchObject({ kind: 'ok', value: { items: [entry], nextCursor: null } })
})

test.each<[string, HttpReply]>([
  ['429', [429, {}]],
  ['500', [500, {}]],
  ['no list', [200, { has_more: false }]],
  ['a line without an id', [200, { items: [record(1, { transaction_id: null })] }]],
])('what cannot be read now is asked for again: %s', async (_, answer) => {
  double.answer({ [RECORDS]: answer })
  const reply = await acquirer.settlement.payoutEntries({ payoutId: 'bat_1', cursor: null })
  expect(reply.kind).toBe('unavailable')
})
