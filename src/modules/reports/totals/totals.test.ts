import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newId } from '#kernel/ids'
import { refusalOf } from '#platform/testing/requests'
import { followUp, newOrder, pay } from '../../payments/testing/fixture.ts'
import { changeDays } from '../../reconciliation/testing/settled-days.ts'
import { type Fact, NOTHING } from '../model/fact.ts'
import { queueFacts } from '../storage/fact.repository.ts'
import { createFixture } from '../testing/fixture.ts'

const fixture = await createFixture({ timeZone: 'America/New_York', currency: 'USD' })
const { db, fold, openMerchant, totals, overview, spreadsheet } = fixture

type Counted = Partial<Omit<Fact, 'id' | 'dayAt'>> & { readonly at: string }

async function count(businessId: string, counted: readonly Counted[]): Promise<void> {
  const facts = counted.map(({ at, ...measures }): Fact => ({
    ...NOTHING,
    id: newId('fct'),
    dayAt: Temporal.Instant.from(at),
    currency: 'USD',
    ...measures,
  }))
  await db.transact(businessId, async (tx) => queueFacts(tx, facts))
  await fold(businessId)
}

// Proves reference/reports#totals.
test('a payment and its refund are in the totals of today, and of no day before', async () => {
  const merchant = await openMerchant()
  const { number } = await newOrder(fixture, merchant, { initial_total: 120.5 })
  const sale = await pay(fixture, merchant, number)
  await followUp(fixture, merchant, 'refund', sale.transaction.uuid, { amount: 20 })
  await fold(merchant.businessId)
  const { from, to, before, time_zone, currencies } = await totals(merchant.caller, { period: 'today' })
  expect([from, time_zone]).toEqual([to, 'America/New_York'])
  expect(before.to).toBe(Temporal.PlainDate.from(from).subtract({ days: 1 }).toString())
  expect(currencies.map(({ currency }) => currency)).toEqual(['USD', 'HKD'])
  expect(currencies[1]).toMatchObject({
    paid_total: 120.5,
    refunded_total: 20,
    net_total: 100.5,
    fee_total: null,
    settled_paid_total: 0,
    orders_paid: 1,
    before: { paid_total: 0, net_total: 0 },
    change: { paid_total: 120.5, net_total: 100.5, orders_paid: 1 },
  })
})

test('a day on which clocks change has 25 or 23 hours, and no moment of it is in another day', async () => {
  const merchant = await openMerchant()
  await count(merchant.businessId, [
    { at: '2026-11-01T03:59:59.999Z', paid: 1n },
    { at: '2026-11-01T04:00:00Z', paid: 10n },
    { at: '2026-11-02T04:59:59.999Z', paid: 100n },
    { at: '2026-11-02T05:00:00Z', paid: 1_000n },
    { at: '2026-03-08T04:59:59.999Z', paid: 1n },
    { at: '2026-03-08T05:00:00Z', paid: 20n },
    { at: '2026-03-09T03:59:59.999Z', paid: 200n },
    { at: '2026-03-09T04:00:00Z', paid: 2_000n },
  ])
  const paidOn = async (day: string) =>
    (await totals(merchant.caller, { from: day, to: day })).currencies[0]?.paid_total
  expect([await paidOn('2026-11-01'), await paidOn('2026-03-08')]).toEqual([1.1, 2.2])
})

test('yen have no decimals and dinars three, and the fees of a currency stand beside what they are known of', async () => {
  const merchant = await openMerchant()
  await count(merchant.businessId, [
    { at: '2026-11-05T12:00:00Z', currency: 'JPY', paid: 150_000n, ordersPaid: 2, approved: 2, declined: 1 },
    { at: '2026-11-06T12:00:00Z', currency: 'KWD', paid: 1_234n, refunded: 234n },
    { at: '2026-10-01T12:00:00Z', currency: 'JPY', paid: 100_000n },
  ])
  await db.transact(merchant.businessId, (tx) =>
    changeDays(tx, [
      { currency: 'JPY', day: '2026-11-05', fee: 3_600n, paid: 100_000n },
      { currency: 'JPY', day: '2026-12-01', fee: 1n, paid: 1n },
      { currency: 'EUR', day: '2026-11-30', fee: 25n, paid: 0n },
    ]),
  )
  const november = { from: '2026-11-01', to: '2026-11-30' }
  const { before, currencies } = await totals(merchant.caller, november)
  expect(before).toEqual({ from: '2026-10-01', to: '2026-10-31' })
  expect(currencies).toMatchObject([
    { currency: 'USD', paid_total: 0 },
    { currency: 'EUR', paid_total: 0, fee_total: 0.25, settled_paid_total: 0 },
    {
      currency: 'JPY',
      paid_total: 150_000,
      fee_total: 3_600,
      settled_paid_total: 100_000,
      payments_declined: 1,
      change: { paid_total: 50_000 },
    },
    { currency: 'KWD', paid_total: 1.234, refunded_total: 0.234, net_total: 1 },
  ])
  expect(await spreadsheet(merchant.caller, { ...november, currency: 'KWD' })).toBe(
    '\uFEFFDate,Currency,Paid,Refunded,Net,Known fees,Paid with known fees,Orders paid,Approved payments,Failed payments,Paid by plans,Disputed\r\n' +
      '2026-11-06,KWD,1.234,0.234,1.000,0.000,0.000,0,0,0,0.000,0.000\r\n',
  )
  const rows = (await spreadsheet(merchant.caller, november)).split('\r\n').slice(1, -1)
  expect(rows.map((row) => row.split(',').slice(0, 6).join(' '))).toEqual([
    '2026-11-05 JPY 150000 0 150000 3600',
    '2026-11-06 KWD 1.234 0.234 1.000 0.000',
    '2026-11-30 EUR 0.00 0.00 0.00 0.25',
  ])
})

test('the totals of any range are the sum of its days, and those before it are the totals of the range with which it is compared', async () => {
  const merchant = await openMerchant()
  const start = Temporal.PlainDate.from('2025-12-20')
  const payments = Array.from({ length: 60 }, (_, index) => ({
    at: `${start.add({ days: index }).toString()}T17:00:00Z`,
    paid: BigInt(index * index + 1),
    refunded: BigInt(index % 7),
  }))
  await count(merchant.businessId, payments)
  const sum = (from: number, to: number) =>
    payments
      .filter((_, index) => index >= from && index <= to)
      .reduce((total, { paid, refunded }) => total + Number(paid - refunded), 0) / 100
  const range = fc.tuple(fc.integer({ min: 0, max: 59 }), fc.integer({ min: 0, max: 20 }))
  await fc.assert(
    fc.asyncProperty(range, async ([first, more]) => {
      const from = start.add({ days: first })
      const query = { from: from.toString(), to: from.add({ days: more }).toString() }
      const { before, currencies } = await totals(merchant.caller, query)
      const [found] = currencies
      expect(found?.net_total).toBe(sum(first, first + more))
      const indexOf = (day: string) => start.until(day, { largestUnit: 'days' }).days
      expect(found?.before.net_total).toBe(sum(indexOf(before.from), indexOf(before.to)))
    }),
    { numRuns: 25 },
  )
})

test('days between a month to date and the days with which it is compared count in neither', async () => {
  const merchant = await openMerchant()
  await count(merchant.businessId, [
    { at: '2026-03-10T12:00:00Z', paid: 100n },
    { at: '2026-03-16T12:00:00Z', paid: 1n },
    { at: '2026-02-15T12:00:00Z', paid: 20n },
    { at: '2026-02-16T12:00:00Z', paid: 2n },
  ])
  const days = [
    { currency: 'USD', day: '2026-02-15', fee: 30n, paid: 20n },
    { currency: 'USD', day: '2026-02-16', fee: 7n, paid: 2n },
  ]
  await db.transact(merchant.businessId, (tx) => changeDays(tx, days))
  const [usd] = (await totals(merchant.caller, { from: '2026-03-01', to: '2026-03-15' })).currencies
  expect(usd).toMatchObject({ paid_total: 1, before: { paid_total: 0.2, fee_total: 0.3 } })
})

test('the main currency is that of most payments of late, then ever, then of the business', async () => {
  const merchant = await openMerchant()
  const main = async () => {
    const found = await totals(merchant.caller, { period: 'today' })
    expect((await overview(merchant.caller, {})).currency).toBe(found.main_currency)
    return found.main_currency
  }
  expect(await main()).toBe('USD')
  const now = Temporal.Now.instant()
  const at = (days: number) => now.subtract({ hours: 24 * days }).toString()
  await count(merchant.businessId, [
    { at: at(200), currency: 'JPY', paid: 1n, ordersPaid: 1, approved: 1 },
    { at: at(200), currency: 'USD', declined: 5 },
  ])
  expect(await main()).toBe('JPY')
  await count(merchant.businessId, [
    { at: at(80), currency: 'EUR', paid: 1n, ordersPaid: 1, approved: 1 },
    { at: at(80), currency: 'USD', paid: 1n, ordersPaid: 1, approved: 1 },
  ])
  expect(await main()).toBe('USD')
  await count(merchant.businessId, [{ at: at(2), currency: 'EUR', paid: 1n, ordersPaid: 1, approved: 1 }])
  expect(await main()).toBe('EUR')
})

test('an overview of a range has each of its days, and today beside them', async () => {
  const merchant = await openMerchant()
  await count(merchant.businessId, [{ at: '2026-02-27T12:00:00Z', paid: 700n }])
  const { days, today } = await overview(merchant.caller, { from: '2026-02-27', to: '2026-03-02' })
  expect(days.map(({ date }) => date)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'])
  expect(today.paid_total).toBe(0)
})

test.each([
  [{ to: '2026-01-31' }, '400 missing_query_name from'],
  [{ from: '2026-02-01', to: '2026-01-31' }, '422 invalid_date_range from'],
  [{ from: '2023-01-01', to: '2026-01-02' }, '422 invalid_date_range from'],
  [{ from: '1969-12-31', to: '1970-01-02' }, '422 invalid_date_range from'],
  [{ from: '9999-12-30', to: '9999-12-31' }, '422 invalid_date_range to'],
  [{ from: '2999-01-01' }, '422 invalid_date_range from'],
  [{ from: '2026-01-01', period: 'today' }, '422 invalid_date_range period'],
  [{ currency: 'XYZ' }, '400 invalid_query_value currency'],
] as const)('%j is refused, and the error names the parameter', async (query, refusal) => {
  const { caller } = await openMerchant()
  expect(await refusalOf(totals(caller, query))).toBe(refusal)
})
