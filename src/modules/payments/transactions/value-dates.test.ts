import fc from 'fast-check'
import { expect, test } from 'vitest'
import { localDateOf } from '#kernel/time-zone'
import { readPage } from '#platform/http/validation/list'
import {
  check,
  createFixture,
  failure,
  followUp,
  type Merchant,
  newOrder,
  pay,
  voidOrder,
} from '../testing/fixture.ts'

const fixture = await createFixture()
const ZONE = 'Asia/Hong_Kong'

async function today({ businessId }: Merchant): Promise<Temporal.PlainDate> {
  return localDateOf(await fixture.db.transact(businessId, async (tx) => tx.now), ZONE)
}

async function confirm(key: string): Promise<void> {
  const url = `${fixture.simulator.url}/payments/${key}/confirm`
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(200)
}

async function stored(id: string): Promise<{ value_date: string | null; succeeded_at: unknown }> {
  const { rows } = await fixture.admin.query<{ value_date: string | null; succeeded_at: unknown }>(
    'select value_date::text, succeeded_at from transactions where id = $1',
    [id],
  )
  const [row] = rows
  if (row === undefined) throw new Error(`there is no transaction ${id}`)
  return row
}

async function listed({ caller }: Merchant, filter: string): Promise<string[]> {
  const page = await fixture.payments.transactionsPage(caller, filter, readPage('transactions', {}))
  return page.transactions.map(({ uuid }) => uuid).toSorted()
}

// Proves reference/payments#value-dates.
test('the value date is the local date of the success, and null before it and after a failure', async () => {
  const merchant = await fixture.newMerchant()
  const day = (await today(merchant)).toString()
  const order = await newOrder(fixture, merchant)
  const sale = await pay(fixture, merchant, order.number)
  expect(sale.transaction.value_date).toBe(day)
  expect((await stored(sale.transaction.uuid)).value_date).toBeNull()
  const refunded = await followUp(fixture, merchant, 'refund', sale.transaction.uuid, { amount: 10 })
  expect(refunded.transaction.value_date).toBe(day)
  const poor = await fixture.bind(merchant, '4000000000009995')
  const other = await newOrder(fixture, merchant)
  const declined = await failure(pay(fixture, merchant, other.number, { payment_token: poor }))
  expect(declined.data.transaction.value_date).toBeNull()
  const silent = await fixture.bind(merchant, '4000000000000119')
  const unknown = await failure(pay(fixture, merchant, other.number, { payment_token: silent }))
  expect(unknown.data.transaction).toMatchObject({
    value_date: null,
    payment_data: { transaction_state: 'unknown' },
  })
})

test('a void keeps the value date', async () => {
  const merchant = await fixture.newMerchant()
  const order = await newOrder(fixture, merchant)
  const { transaction } = await pay(fixture, merchant, order.number)
  const { transactions } = await voidOrder(fixture, merchant, order.number)
  expect(transactions[0]).toMatchObject({
    value_date: transaction.value_date,
    payment_data: { transaction_state: 'voided' },
  })
})

test('money that moves on a later day than its transaction was made has that day', async () => {
  const merchant = await fixture.newMerchant()
  const first = await today(merchant)
  const token = await fixture.bind(merchant, '4000002500003155')
  const { rows } = await fixture.admin.query<{ verify_uuid: string }>(
    'select verify_uuid from payment_tokens where token = $1',
    [token],
  )
  await confirm(rows[0]?.verify_uuid ?? '')
  await fixture.advance(merchant.businessId, { seconds: 5 })
  const order = await newOrder(fixture, merchant)
  const { transaction } = await pay(fixture, merchant, order.number, { payment_token: token })
  expect(transaction).toMatchObject({ value_date: null, is_pending: true })
  await fixture.advance(merchant.businessId, { hours: 13 })
  await confirm(transaction.uuid)
  const second = first.add({ days: 1 }).toString()
  expect((await check(fixture, merchant, order.number)).transactions).toMatchObject([{ value_date: second }])
  expect((await stored(transaction.uuid)).value_date).toBe(second)
  expect(await listed(merchant, `value_date = "${second}"`)).toEqual([transaction.uuid])
})

test('the filter on value_date agrees with the value dates that are shown', async () => {
  const merchant = await fixture.newMerchant()
  const first = await today(merchant)
  for (let index = 0; index < 6; index += 1) {
    const { number } = await newOrder(fixture, merchant)
    await pay(fixture, merchant, number)
    if (index % 2 === 1) await fixture.advance(merchant.businessId, { hours: 17 })
  }
  const poor = await fixture.bind(merchant, '4000000000009995')
  await failure(pay(fixture, merchant, (await newOrder(fixture, merchant)).number, { payment_token: poor }))
  // Given dates of money that moved outside, beside the day on which it was recorded.
  await fixture.admin.query(
    `update transactions set value_date = $2
      where id in (select id from transactions where business_id = $1 and succeeded_at is not null order by id limit 1)`,
    [merchant.businessId, first.subtract({ days: 3 }).toString()],
  )
  const { transactions } = await fixture.payments.transactionsPage(
    merchant.caller,
    undefined,
    readPage('transactions', {}),
  )
  expect(new Set(transactions.map(({ value_date: date }) => date)).size).toBeGreaterThan(3)
  const holds: Record<string, (date: string, day: string) => boolean> = {
    '=': (date, day) => date === day,
    '<': (date, day) => date < day,
    '<=': (date, day) => date <= day,
    '>': (date, day) => date > day,
    '>=': (date, day) => date >= day,
  }
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: -4, max: 4 }),
      fc.constantFrom(...Object.keys(holds)),
      async (days, comparator) => {
        const day = first.add({ days }).toString()
        const expected = transactions
          .filter(({ value_date: date }) => date !== null && holds[comparator]?.(date, day))
          .map(({ uuid }) => uuid)
        expect(await listed(merchant, `value_date ${comparator} "${day}"`)).toEqual(expected.toSorted())
      },
    ),
    { numRuns: 30 },
  )
  const without = transactions.filter(({ value_date: date }) => date === null).map(({ uuid }) => uuid)
  expect(await listed(merchant, 'NOT value_date:*')).toEqual(without)
  const others = transactions.filter(({ value_date: date }) => date !== first.toString())
  expect(await listed(merchant, `value_date != "${first.toString()}"`)).toEqual(
    others.map(({ uuid }) => uuid).toSorted(),
  )
})
