import { expect, test } from 'vitest'
import { withKey } from '#platform/testing/requests'
import { check, createFixture, failure, followUp, type Merchant, newOrder, pay } from '../testing/fixture.ts'

const fixture = await createFixture()
// Proves reference/acquirers#decided-by-a-person.

/** A refund of 30 whose request and whose inquiries all get no answer. */
async function lostRefund() {
  const merchant = await fixture.newMerchant()
  const order = await newOrder(fixture, merchant)
  const sale = await pay(fixture, merchant, order.number)
  const lost = async () => ({ kind: 'unknown', responseMessage: 'no answer' }) as const
  fixture.between.acquirer = { ...fixture.real, refund: lost, inquire: lost }
  const refund = await failure(followUp(fixture, merchant, 'refund', sale.transaction.uuid, { amount: 30 }))
  fixture.between.acquirer = fixture.real
  return { merchant, number: order.number, uuid: refund.data.transaction.uuid }
}

async function passADay(uuid: string): Promise<void> {
  await fixture.admin.query(
    `update acquirer_operations set sent_at = now() - interval '25 hours' where key = $1`,
    [uuid],
  )
}

const decide = (merchant: Merchant, uuid: string, outcome: 'succeeded' | 'failed') =>
  fixture.payments.resolveByHand(merchant.caller, {
    transaction: { uuid },
    outcome,
    ...(outcome === 'succeeded' && { new_gateway_txn_id: 're_1' }),
  })

test('a person decides a day later that a lost refund moved the money', async () => {
  const { merchant, number, uuid } = await lostRefund()
  await expect(decide(merchant, uuid, 'succeeded')).rejects.toMatchObject({
    reason: 'outcome_still_inquired',
  })
  await passADay(uuid)
  expect(await decide(merchant, uuid, 'succeeded')).toMatchObject({
    order: { paid_total: '70.00' },
    transaction: { success: true, payment_data: { new_gateway_txn_id: 're_1' } },
  })
  await expect(decide(merchant, uuid, 'failed')).rejects.toMatchObject({ reason: 'outcome_not_open' })
  expect(await check(fixture, merchant, number)).toMatchObject({ refunded_total: '30.00' })
})

test('a refund that a person declares failed can be made again', async () => {
  const { merchant, number, uuid } = await lostRefund()
  await passADay(uuid)
  await decide(merchant, uuid, 'failed')
  expect(await check(fixture, merchant, number)).toMatchObject({
    paid_total: '100.00',
    refunded_total: '0.00',
  })
  const sale = (await check(fixture, merchant, number)).transactions.find(({ type }) => type === 'Sales')
  await followUp(fixture, merchant, 'refund', sale?.uuid ?? '', { amount: 100 })
  expect(await check(fixture, merchant, number)).toMatchObject({ state: 'refunded' })
})

test('one of two concurrent decisions counts, a repeat gets the same reply, and others cannot decide', async () => {
  const { merchant, uuid } = await lostRefund()
  await passADay(uuid)
  const stranger = await fixture.newMerchant()
  await expect(decide(stranger, uuid, 'failed')).rejects.toMatchObject({ status: 404 })
  const keyed = { ...merchant, caller: withKey(merchant.caller, 'decide') }
  const both = await Promise.allSettled([decide(keyed, uuid, 'succeeded'), decide(merchant, uuid, 'failed')])
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})
