import { expect, test } from 'vitest'
import type { Acquirer, Inquiry } from '#modules/acquirers'
import { withKey } from '#platform/testing/requests'
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
import { verifyPayments } from '../audit/verify.ts'

// Proves reference/payments#voiding, reference/orders#voiding, reference/acquirers#adyen.
const fixture = await createFixture()
const RECORD = {
  gatewayTransactionId: 'PSP1',
  rrn: '',
  authCode: '',
  batchNumber: '',
  responseCode: 'received',
  responseMessage: 'received',
}
const RECEIVED = { kind: 'pending', ...RECORD } as const
const REFUSED = {
  kind: 'declined',
  hard: false,
  ...RECORD,
  responseCode: 'cancellation_failed',
  responseMessage: 'Already captured',
} as const

/** An acquirer that answers a void with "received" and reports its outcome later. */
async function authorized(isReceived = true) {
  const merchant = await fixture.newMerchant()
  const { number } = await newOrder(fixture, merchant)
  const { transaction } = await pay(fixture, merchant, number, { type: 'Authorization' })
  let reported: Inquiry = RECEIVED
  const keys: string[] = []
  const receive: Acquirer['void'] = async ({ key }) => {
    keys.push(key)
    return isReceived ? RECEIVED : { kind: 'unknown', responseMessage: 'no answer' }
  }
  fixture.between.acquirer = {
    ...fixture.real,
    capabilities: { ...fixture.real.capabilities, closes: new Set() },
    void: receive,
    inquire: async (lookup) => (lookup.kind === 'void' ? reported : fixture.real.inquire(lookup)),
  }
  const notify = async (outcome: Inquiry): Promise<void> => {
    reported = outcome
    const subject = { kind: 'payment', reference: 'PSP1', key: keys.at(-1) ?? null } as const
    await fixture.db.transact(merchant.businessId, (tx) =>
      fixture.payments.handleNotice(tx, { accountId: 'simulator', subject }),
    )
    await fixture.advance(merchant.businessId, { seconds: 0 })
  }
  return { merchant, number, uuid: transaction.uuid, keys, notify }
}

const unknownOutcomes = ({ businessId }: Merchant) =>
  fixture.db.transact(businessId, (tx) => fixture.payments.unknownOutcomes(tx, tx.now, 10))

const breaches = ({ businessId }: Merchant): Promise<unknown[]> =>
  Array.fromAsync(verifyPayments(fixture.db)(businessId))

test('a void that the acquirer has received is 200 and pending, and so is the next one; its notice completes it', async () => {
  const { merchant, number, uuid, keys, notify } = await authorized()
  const keyed = { ...merchant, caller: withKey(merchant.caller, 'void') }
  for (const who of [merchant, keyed, keyed]) {
    const voided = await followUp(fixture, who, 'voidTransaction', uuid).catch((error: unknown) => error)
    const body = JSON.stringify(voided)
    expect(body).toContain('void_is_pending')
    expect(body).not.toContain('outcome_unknown')
  }
  expect(keys).toHaveLength(1)
  expect(await check(fixture, merchant, number)).toMatchObject({
    state: 'open',
    transactions: [
      { success: true, void_is_pending: true, payment_data: { transaction_state: 'authorized' } },
    ],
  })
  await fixture.advance(merchant.businessId, { hours: 2 })
  expect(await unknownOutcomes(merchant)).toEqual([])
  await notify({ ...RECEIVED, kind: 'approved' })
  expect(await check(fixture, merchant, number)).toMatchObject({
    state: 'open',
    transactions: [{ success: false, void_is_pending: false, payment_data: { transaction_state: 'voided' } }],
  })
  expect(await breaches(merchant)).toEqual([])
})

test('a pending void that fails leaves its transaction as it was, with the reason', async () => {
  const { merchant, number, uuid, keys, notify } = await authorized()
  await followUp(fixture, merchant, 'voidTransaction', uuid)
  await notify(REFUSED)
  const { transactions } = await check(fixture, merchant, number)
  expect(transactions).toMatchObject([
    {
      success: true,
      allow_void: true,
      void_is_pending: false,
      void_failure: { resp_code: 'cancellation_failed', resp_msg: 'Already captured' },
      payment_data: { transaction_state: 'authorized' },
    },
  ])
  expect((await fixture.events(merchant.businessId, number)).at(-1)).toBe('transaction.resolved')
  const again = await followUp(fixture, merchant, 'voidTransaction', uuid)
  expect(again.transaction).toMatchObject({ void_is_pending: true })
  expect(again.transaction).not.toHaveProperty('void_failure')
  expect(new Set(keys).size).toBe(2)
  expect(await breaches(merchant)).toEqual([])
})

test('the void of an order waits for the void that the acquirer has received, and goes on by itself', async () => {
  const { merchant, number, notify } = await authorized()
  for (let n = 0; n < 2; n++) {
    expect(await voidOrder(fixture, merchant, number)).toMatchObject({
      state: 'open',
      transactions: [{ success: true, void_is_pending: true }],
    })
  }
  await notify({ ...RECEIVED, kind: 'approved' })
  expect(await check(fixture, merchant, number)).toMatchObject({ state: 'voided' })
  expect((await fixture.events(merchant.businessId, number)).slice(-2)).toEqual([
    'transaction.voided',
    'order.voided',
  ])
  expect(await breaches(merchant)).toEqual([])
})

test('the void of an order ends when the void of its transaction fails, and is sent only once', async () => {
  const { merchant, number, keys, notify } = await authorized()
  await voidOrder(fixture, merchant, number)
  await notify(REFUSED)
  await fixture.advance(merchant.businessId, { hours: 3 })
  expect(await check(fixture, merchant, number)).toMatchObject({
    state: 'open',
    allow_void: true,
    transactions: [{ success: true, void_is_pending: false, void_failure: { resp_msg: 'Already captured' } }],
  })
  expect(keys).toHaveLength(1)
  expect(await breaches(merchant)).toEqual([])
})

test('a void without an outcome for a day is an unknown outcome', async () => {
  const { merchant, number, uuid, notify } = await authorized()
  await followUp(fixture, merchant, 'voidTransaction', uuid)
  await fixture.advance(merchant.businessId, { hours: 25 })
  expect(await unknownOutcomes(merchant)).toMatchObject([{ kind: 'void', transactionId: uuid }])
  await notify({ ...RECEIVED, kind: 'approved' })
  expect(await check(fixture, merchant, number)).toMatchObject({ transactions: [{ success: false }] })
  expect(await unknownOutcomes(merchant)).toEqual([])
})

test('a void whose answer was lost is 504, and 200 once the acquirer says that it has received it', async () => {
  const { merchant, number, uuid } = await authorized(false)
  const { status } = await failure(followUp(fixture, merchant, 'voidTransaction', uuid))
  expect(status).toBe(504)
  const again = await followUp(fixture, merchant, 'voidTransaction', uuid)
  expect(again.transaction).toMatchObject({ success: true, void_is_pending: true })
  expect(await voidOrder(fixture, merchant, number)).toMatchObject({ state: 'open' })
})
