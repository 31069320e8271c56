import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { verifyPayments } from '../audit/verify.ts'
import { check, createFixture, followUp, type Merchant, newOrder, pay } from '../testing/fixture.ts'

// Proves reference/acquirers#adyen, reference/orders#states, reference/payments#states.
const fixture = await createFixture()
const { db, payments } = fixture
const FAILURE = { responseCode: 'capture_failed', responseMessage: 'Capture Failed' }
const failed = new Set<string>()
fixture.acquirers.laterFailure = async (_tx, _account, { key }) => (failed.has(key) ? FAILURE : null)

async function report(merchant: Merchant, key: string): Promise<void> {
  failed.add(key)
  const subject = { kind: 'failure', reference: 'PSP1', key } as const
  await db.transact(merchant.businessId, (tx) =>
    payments.handleNotice(tx, { accountId: 'simulator', subject }),
  )
}

async function paid() {
  const merchant = await fixture.newMerchant()
  const { number } = await newOrder(fixture, merchant)
  const { transaction } = await pay(fixture, merchant, number)
  return { merchant, number, uuid: transaction.uuid }
}

const laterFailures = ({ businessId }: Merchant) =>
  db.transact(businessId, (tx) => payments.laterFailures(tx, tx.now.subtract({ hours: 24 }), 10))

const breaches = ({ businessId }: Merchant): Promise<unknown[]> =>
  Array.fromAsync(verifyPayments(db)(businessId))

test('a payment that fails after it had counted is failed, and its order can be paid again, once', async () => {
  const { merchant, number, uuid } = await paid()
  await report(merchant, uuid)
  await report(merchant, uuid)
  const order = await check(fixture, merchant, number)
  expect(order).toMatchObject({ state: 'open', paid_total: '0.00', amount_due: '100.00' })
  expect(order.transactions).toMatchObject([
    { success: false, payment_data: { transaction_state: 'failed', resp_code: 'capture_failed' } },
  ])
  expect((await fixture.events(merchant.businessId, number)).slice(-2)).toEqual([
    'transaction.failed',
    'order.updated',
  ])
  expect(await laterFailures(merchant)).toMatchObject([{ id: uuid, orderId: number }])
  await pay(fixture, merchant, number)
  expect(await laterFailures(merchant)).toEqual([])
  expect(await check(fixture, merchant, number)).toMatchObject({ state: 'completed', paid_total: '100.00' })
  expect(await breaches(merchant)).toEqual([])
})

test.each([undefined, 40])('a refund of %s that fails later leaves its order paid again', async (amount) => {
  const { merchant, number, uuid } = await paid()
  const { transaction } = await followUp(
    fixture,
    merchant,
    'refund',
    uuid,
    amount === undefined ? {} : { amount },
  )
  await report(merchant, transaction.uuid)
  expect(await check(fixture, merchant, number)).toMatchObject({ state: 'completed', paid_total: '100.00' })
  expect((await fixture.events(merchant.businessId, number)).slice(-2)).toEqual([
    'transaction.failed',
    'order.updated',
  ])
  expect(await breaches(merchant)).toEqual([])
})

test('an order whose payment fails while its refund stands waits for the failure of the refund', async () => {
  const { merchant, number, uuid } = await paid()
  const { transaction } = await followUp(fixture, merchant, 'refund', uuid, { amount: 30 })
  await report(merchant, uuid)
  expect(await check(fixture, merchant, number)).toMatchObject({ state: 'completed', amount_due: '0.00' })
  expect(await breaches(merchant)).toEqual([])
  await report(merchant, transaction.uuid)
  expect(await check(fixture, merchant, number)).toMatchObject({
    state: 'open',
    paid_total: '0.00',
    amount_due: '100.00',
  })
  expect(await breaches(merchant)).toEqual([])
})

test('a notice without a failure, and one of another account, change nothing', async () => {
  const { merchant, number, uuid } = await paid()
  const subject = { kind: 'failure', reference: 'PSP1', key: uuid } as const
  for (const accountId of ['simulator', 'acc_other']) {
    if (accountId !== 'simulator') failed.add(uuid)
    await db.transact(merchant.businessId, (tx) => payments.handleNotice(tx, { accountId, subject }))
  }
  expect(await check(fixture, merchant, number)).toMatchObject({ state: 'completed', paid_total: '100.00' })
})

test('a notice of a failed refund that comes before the void of an order has recorded it is handled again', async () => {
  const { merchant, number, uuid } = await paid()
  const repeated: string[] = []
  const { repeatFailures } = fixture.acquirers
  fixture.acquirers.repeatFailures = async (_tx, operations) =>
    void repeated.push(...operations.map(({ key }) => key))
  await fixture.advance(merchant.businessId, { hours: 24 })
  const { businessId } = merchant
  await db.transact(businessId, (tx) =>
    tx.execute(sql`update orders set state = 'open' where business_id = ${businessId} and id = ${number}`),
  )
  const at = await db.transact(businessId, async (tx) => tx.now)
  await payments.voidOrdersNow(businessId, [{ orderId: number, at }], async () => new Set([number]))
  await fixture.advance(businessId, { minutes: 1 })
  fixture.acquirers.repeatFailures = repeatFailures
  const { state, transactions } = await check(fixture, merchant, number)
  const refund = transactions.find(({ type }) => type === 'Refund')
  expect([state, refund?.original_transaction_uuid]).toEqual(['voided', uuid])
  expect(repeated).toContain(refund?.uuid)
})
