import { expect, test } from 'vitest'
import { verifyPayments } from '../audit/verify.ts'
import { check, createFixture, followUp, type Merchant, newOrder, pay } from '../testing/fixture.ts'

// Proves reference/acquirers#adyen.
const fixture = await createFixture()
const { db, payments } = fixture

async function reportExpiry(merchant: Merchant, key: string, accountId = 'simulator'): Promise<void> {
  const subject = { kind: 'expiry', reference: 'PSP1', key } as const
  await db.transact(merchant.businessId, (tx) => payments.handleNotice(tx, { accountId, subject }))
}

async function authorized() {
  const merchant = await fixture.newMerchant()
  const { number } = await newOrder(fixture, merchant)
  const { transaction } = await pay(fixture, merchant, number, { type: 'Authorization' })
  return { merchant, number, uuid: transaction.uuid }
}

test('an authorization that the acquirer let expire is expired, cannot be captured, and its order can be paid again', async () => {
  const { merchant, number, uuid } = await authorized()
  await reportExpiry(merchant, uuid, 'acc_other')
  await reportExpiry(merchant, uuid)
  await reportExpiry(merchant, uuid)
  expect((await check(fixture, merchant, number)).transactions).toMatchObject([
    { success: false, payment_data: { transaction_state: 'expired' } },
  ])
  const events = await fixture.events(merchant.businessId, number)
  expect(events.filter((type) => type === 'transaction.voided')).toHaveLength(1)
  await expect(followUp(fixture, merchant, 'capture', uuid)).rejects.toMatchObject({ status: 409 })
  await pay(fixture, merchant, number)
  expect(await check(fixture, merchant, number)).toMatchObject({ state: 'completed', paid_total: '100.00' })
  expect(await Array.fromAsync(verifyPayments(db)(merchant.businessId))).toEqual([])
})

test('what was captured before the expiry stays', async () => {
  const { merchant, number, uuid } = await authorized()
  await followUp(fixture, merchant, 'capture', uuid, { amount: 40 })
  await reportExpiry(merchant, uuid)
  expect(await check(fixture, merchant, number)).toMatchObject({ state: 'open', paid_total: '40.00' })
  await expect(followUp(fixture, merchant, 'capture', uuid)).rejects.toMatchObject({ status: 409 })
  expect(await Array.fromAsync(verifyPayments(db)(merchant.businessId))).toEqual([])
})
