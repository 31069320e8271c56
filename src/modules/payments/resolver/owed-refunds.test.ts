import { expect, test } from 'vitest'
import { Money } from '#kernel/money'
import { NOT_SENT } from '#modules/acquirers'
import { check, createFixture, newOrder, pay } from '../testing/fixture.ts'

const fixture = await createFixture()

// Proves reference/payments#unknown-outcomes.
test.each([
  ['was lost on its way', { kind: 'unknown', responseMessage: 'no answer' }],
  ['met an acquirer that was down', { kind: 'refused', responseCode: NOT_SENT, responseMessage: 'down' }],
] as const)('a refund that nobody waits for and that %s is sent again under its key', async (_name, lost) => {
  const { between, real, payments, db } = fixture
  const merchant = await fixture.newMerchant()
  const order = await newOrder(fixture, merchant)
  await pay(fixture, merchant, order.number)
  const keys: string[] = []
  between.acquirer = {
    ...real,
    refund: async (request) => {
      keys.push(request.key)
      return keys.length === 1 ? lost : real.refund(request)
    },
  }
  await db.transact(merchant.businessId, async (tx) => {
    const locked = await payments.lockOrdersToCredit(tx, [order.number])
    const refund = { amount: Money.ofDecimal('HKD', '40.00'), note: 'Unused', at: tx.now }
    await locked.credit([], { module: 'recurring', callbackUrls: new Map() }, refund)
  })
  await fixture.advance(merchant.businessId, { hours: 1 })
  between.acquirer = real
  const { transactions } = await check(fixture, merchant, order.number)
  expect(transactions.map(({ type, payment_data: data }) => [type, data.transaction_state])).toEqual([
    ['Sales', 'succeeded'],
    ['Refund', 'succeeded'],
  ])
  const key = transactions[1]?.uuid
  expect(keys).toEqual([key, key])
})
