import { expect, test } from 'vitest'
import { eventsOf } from '#platform/testing/events'
import { asReply, check, createFixture, newOrder, pay, type ShownOrder } from './testing/fixture.ts'

const fixture = await createFixture()
const merchant = await fixture.newMerchant()

async function orderWithFailedCharges(count: number): Promise<ShownOrder> {
  const order = await newOrder(fixture, merchant)
  await fixture.db.transact(merchant.businessId, (tx) =>
    fixture.payments.recordFailedCharges(
      tx,
      Array.from({ length: count }, () => ({
        orderId: order.number,
        responseCode: 'no_payment_token',
        message: 'No token.',
        at: tx.now,
      })),
    ),
  )
  return check(fixture, merchant, order.number)
}

async function ordersInEvents(orderNumber: string): Promise<(ShownOrder & { bytes: number })[]> {
  const events = await eventsOf(fixture.db, merchant.businessId, orderNumber)
  return events.map(({ data }) => ({ ...asReply(JSON.parse(data) as object).order, bytes: data.length }))
}

// Proves reference/events#payloads.

test('events of an order with 120 transactions show the newest 20 that changed, and the API shows all', async () => {
  const order = await orderWithFailedCharges(120)
  expect(order.transactions).toHaveLength(120)
  expect(order).not.toHaveProperty('transactions_truncated')
  const [created, ...failed] = await ordersInEvents(order.number)
  expect(created?.transactions).toEqual([])
  expect(failed).toHaveLength(120)
  const newest = order.transactions.slice(-20).map(({ uuid }) => uuid)
  for (const event of failed) {
    expect(event.transactions.map(({ uuid }) => uuid)).toEqual(newest)
    expect(event).toMatchObject({
      transactions_truncated: true,
      transactions_url: '/svc/payment/api/v1/openapi/orders/check',
    })
    expect(event.bytes).toBeLessThan(30_000)
  }

  const { transaction } = await pay(fixture, merchant, order.number, { amount: 5 })
  const afterPayment = (await ordersInEvents(order.number)).slice(failed.length + 1)
  expect(afterPayment.map((event) => event.transactions.map(({ uuid }) => uuid))).toEqual([
    [transaction.uuid],
    [transaction.uuid],
  ])
  expect(afterPayment.map((event) => event.paid_total)).toEqual(['5.00', '5.00'])
  expect((await check(fixture, merchant, order.number)).transactions).toHaveLength(121)
})

test('events of an order with 20 transactions show all of them', async () => {
  const order = await orderWithFailedCharges(19)
  await pay(fixture, merchant, order.number)
  const last = (await ordersInEvents(order.number)).at(-1)
  expect(last?.transactions).toHaveLength(20)
  expect(last).not.toHaveProperty('transactions_truncated')
})
