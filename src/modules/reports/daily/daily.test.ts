import { expect, test } from 'vitest'
import { adminOf } from '#platform/testing/database'
import { failure, followUp, newOrder, pay, voidOrder } from '../../payments/testing/fixture.ts'
import { createFixture } from '../testing/fixture.ts'

const fixture = await createFixture()
const { admin, openMerchant, fold, overview, breaches } = fixture

// Proves reference/reports#days.
test('a day counts payments, captures, refunds and declines, and not what was voided', async () => {
  const merchant = await openMerchant()
  const declined = await fixture.bind(merchant, '4000000000000341')
  const [paid, voided, held, failed] = await Promise.all(
    [100, 40, 70, 25].map((total) => newOrder(fixture, merchant, { initial_total: total })),
  )
  const sale = await pay(fixture, merchant, paid?.number ?? '')
  await followUp(fixture, merchant, 'refund', sale.transaction.uuid, { amount: 30 })
  await pay(fixture, merchant, voided?.number ?? '')
  await voidOrder(fixture, merchant, voided?.number ?? '')
  const hold = await pay(fixture, merchant, held?.number ?? '', { type: 'Authorization' })
  await followUp(fixture, merchant, 'capture', hold.transaction.uuid, { amount: 50 })
  await failure(pay(fixture, merchant, failed?.number ?? '', { payment_token: declined }))
  expect((await overview(merchant.caller)).today.paid_total).toBe(0)
  expect(await breaches(merchant.businessId)).toEqual([])
  await fold(merchant.businessId)
  const report = await overview(merchant.caller)
  expect(report.today).toMatchObject({
    paid_total: 150,
    refunded_total: 30,
    orders_paid: 2,
    payments_failed: 1,
  })
  expect(report.days.map(({ success_rate: rate }) => rate)).toEqual([null, null, 0.75])
  expect(report.declines).toEqual([{ decline_code: 'card_declined', count: 1, total: 25 }])
  expect(await breaches(merchant.businessId)).toEqual([])
})

test('two processes that count at the same time, and one that fails, count every change once', async () => {
  const merchant = await openMerchant()
  const { businessId } = merchant
  await Promise.all(
    Array.from({ length: 12 }, async () => {
      const { number } = await newOrder(fixture, merchant, { initial_total: 10 })
      await pay(fixture, merchant, number)
    }),
  )
  await admin.query(`alter table report_days add constraint no_days check (business_id = '') not valid`)
  await expect(fold(businessId)).rejects.toThrow('no_days')
  await admin.query('alter table report_days drop constraint no_days')
  await Promise.all([fold(businessId), fold(businessId), fold(businessId)])
  expect((await overview(merchant.caller)).today).toMatchObject({ paid_total: 120, orders_paid: 12 })
  expect(await breaches(businessId)).toEqual([])
})

test('money counts on the local day on which it moved', async () => {
  const merchant = await openMerchant()
  const { businessId } = merchant
  const first = await newOrder(fixture, merchant, { initial_total: 10 })
  const sale = await pay(fixture, merchant, first.number)
  await fixture.advance(businessId, { hours: 13 })
  await followUp(fixture, merchant, 'refund', sale.transaction.uuid)
  await fold(businessId)
  const report = await overview(merchant.caller, { days: 2 })
  expect(report.today).toMatchObject({ paid_total: 0, refunded_total: 10 })
  expect(report.days.map(({ payments_approved: approved }) => approved)).toEqual([1, 0])
  expect(await breaches(businessId)).toEqual([])
})

test('a day that does not equal its transactions is a breach', async () => {
  const merchant = await openMerchant()
  const { number } = await newOrder(fixture, merchant)
  await pay(fixture, merchant, number)
  await fold(merchant.businessId)
  await admin.query('update report_days set paid_minor = paid_minor + 1 where business_id = $1', [
    merchant.businessId,
  ])
  expect((await breaches(merchant.businessId)).map(({ rule }) => rule)).toEqual([
    'totals_of_a_day_equal_its_transactions',
  ])
})

// Proves reference/reports#attention.
test('an outcome that has been unknown for over a minute needs attention', async () => {
  const merchant = await openMerchant()
  const { businessId, caller } = merchant
  const silent = await fixture.bind(merchant, '4000000000000119')
  const { number } = await newOrder(fixture, merchant)
  await failure(pay(fixture, merchant, number, { payment_token: silent }))
  expect(await fixture.attention(caller)).toEqual({ attention: [] })
  const node = await adminOf(fixture, businessId)
  await node.query(
    "update acquirer_operations set started_at = started_at - interval '2 minutes' where business_id = $1",
    [businessId],
  )
  expect(await fixture.attention(caller)).toMatchObject({
    attention: [
      { kind: 'unknown_outcome', count: 1, items: [{ title: expect.stringContaining(number) as string }] },
    ],
  })
})
