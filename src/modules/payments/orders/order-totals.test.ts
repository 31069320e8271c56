import { expect, test } from 'vitest'
import { newId } from '#kernel/ids'
import { Money } from '#kernel/money'
import { check, createFixture, followUp, newOrder, pay, voidOrder } from '../testing/fixture.ts'

const fixture = await createFixture()
const merchant = await fixture.newMerchant()

// Proves reference/orders#totals, reference/orders#states.

test('after a partial refund an order reads partial_paid, and its payer owes nothing', async () => {
  const { number } = await newOrder(fixture, merchant)
  const { transaction } = await pay(fixture, merchant, number)
  const partly = await followUp(fixture, merchant, 'refund', transaction.uuid, { amount: 30.5 })
  expect(partly.order).toMatchObject({
    state: 'completed',
    correspondence_state: 'partial_paid',
    paid_total: '69.50',
    unpaid_total: '30.50',
    refunded_total: '30.50',
    amount_due: '0.00',
  })
  const wholly = await followUp(fixture, merchant, 'refund', transaction.uuid)
  expect(wholly.order).toMatchObject({
    state: 'refunded',
    correspondence_state: 'unpaid',
    unpaid_total: '100.00',
    refunded_total: '100.00',
    amount_due: '0.00',
  })
})

test('the amount due is the unpaid total while the order can be paid, in the digits of its currency', async () => {
  const { number, ...order } = await newOrder(fixture, merchant)
  expect(order).toMatchObject({ amount_due: '100.00', refunded_total: '0.00' })
  await pay(fixture, merchant, number, { type: 'Authorization', amount: 50 })
  expect(await check(fixture, merchant, number)).toMatchObject({ amount_due: '100.00' })
  expect((await pay(fixture, merchant, number, { amount: 20 })).order).toMatchObject({ amount_due: '80.00' })
  expect(await voidOrder(fixture, merchant, number)).toMatchObject({ amount_due: '0.00' })
  const yen = await newOrder(fixture, merchant, { currency: 'JPY', initial_total: 10 })
  expect(yen).toMatchObject({ amount_due: '10', refunded_total: '0' })
  const expiring = await newOrder(fixture, merchant, { timeout: { timer: '60' } })
  await fixture.advance(merchant.businessId, { seconds: 60 })
  expect(await check(fixture, merchant, expiring.number)).toMatchObject({
    state: 'expired',
    unpaid_total: '100.00',
    amount_due: '0.00',
  })
})

test('the order of a plan shows the id of its plan', async () => {
  const [order] = await fixture.db.transact(merchant.businessId, (tx) =>
    fixture.payments.createOrders(tx, [
      {
        source: 'recurring',
        type: 'recurring',
        referenceNumber: newId('ref'),
        initialTotal: Money.ofDecimal('HKD', '12.50'),
        lineItems: null,
        planId: 'pln_1',
        at: tx.now,
      },
    ]),
  )
  expect(await check(fixture, merchant, order?.id ?? '')).toMatchObject({ plan_id: 'pln_1' })
  expect(await newOrder(fixture, merchant)).not.toHaveProperty('plan_id')
})
