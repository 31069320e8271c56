import { afterEach, expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { Acquirer } from '#modules/acquirers'
import type { Charge } from '../model/charge.ts'
import { createFixture, type Merchant, newOrder } from '../testing/fixture.ts'

// Proves reference/operations#recovery.

const fixture = await createFixture()
const { db, payments } = fixture

afterEach(() => {
  fixture.between.acquirer = fixture.real
  fixture.between.lost = []
})

const APPROVED = {
  kind: 'approved',
  gatewayTransactionId: 'pi_1',
  rrn: '',
  authCode: '',
  batchNumber: '',
  responseCode: 'approved',
  responseMessage: 'Approved.',
} as const

class Lost extends Error {}

/** An attempt of the service itself. `isLost`: its database transaction is gone, as after a recovery to an earlier time. */
async function initiate(merchant: Merchant, orderId: string, isLost = false): Promise<Charge> {
  let initiated: Charge | undefined
  const initiating = db.transact(merchant.businessId, async (tx) => {
    const token = (await fixture.customers.findTokens(tx, [merchant.token])).get(merchant.token) ?? null
    const charge = { orderId, type: 'Sales', token, payerPresent: false, at: tx.now } as const
    const [result] = await payments.initiateCharges(tx, [charge], [])
    if (result === undefined || 'refused' in result) throw new Error('the charge was refused')
    initiated = result
    if (isLost) throw new Lost()
  })
  await initiating.catch((error: unknown) => {
    if (!(error instanceof Lost)) throw error
  })
  if (initiated === undefined) throw new Error('nothing was initiated')
  return initiated
}

function loseLast(duration: Temporal.DurationLike): void {
  const recoveredAt = realClock.now()
  fixture.between.lost = [{ since: recoveredAt.subtract(duration), recoveredAt }]
}

/** An acquirer that is asked by its own ids, and counts the charges that it gets. */
function acquirerWith(more: Partial<Acquirer>): { readonly charged: string[] } {
  const charged: string[] = []
  fixture.between.acquirer = {
    ...fixture.real,
    capabilities: { ...fixture.real.capabilities, commitsReferences: true },
    inquire: async ({ reference }) => (reference === 'pi_1' ? APPROVED : { kind: 'absent', closed: true }),
    sale: async ({ key }) => {
      charged.push(key)
      return APPROVED
    },
    ...more,
  }
  return { charged }
}

test('a renewal that was charged in the lost time is found under the same key and not charged again', async () => {
  const merchant = await fixture.newMerchant()
  const { number } = await newOrder(fixture, merchant)
  const lost = await initiate(merchant, number, true)
  expect(await payments.performCharge(lost)).toMatchObject({ kind: 'approved' })
  loseLast({ minutes: 1 })
  const again = await initiate(merchant, number)
  expect(again.operation.key).toBe(lost.operation.key)
  const charged: string[] = []
  fixture.between.acquirer = {
    ...fixture.real,
    sale: async ({ key }) => {
      charged.push(key)
      return { kind: 'unknown', responseMessage: 'It was charged again.' }
    },
  }
  expect(await payments.performCharge(again)).toMatchObject({ kind: 'approved' })
  expect(charged).toEqual([])
})

test('an attempt that was not made in the lost time is made, and the next one has another key', async () => {
  const merchant = await fixture.newMerchant('4000000000000341')
  const { number } = await newOrder(fixture, merchant)
  loseLast({ minutes: 1 })
  const first = await initiate(merchant, number)
  const outcome = await payments.performCharge(first)
  expect(outcome).toMatchObject({ kind: 'declined' })
  const record = { charge: first, outcome, at: first.at }
  await db.transact(merchant.businessId, (tx) => payments.recordOutcomes(tx, [record]))
  const second = await initiate(merchant, number)
  expect(second.operation.key).not.toBe(first.operation.key)
})

test('an acquirer that lists payments is asked for the list, and its id is kept', async () => {
  const merchant = await fixture.newMerchant()
  const { number } = await newOrder(fixture, merchant)
  loseLast({ minutes: 2 })
  const charge = await initiate(merchant, number)
  const booking = {
    kind: 'payment',
    key: charge.operation.key,
    reference: 'pi_1',
    movesMoney: true,
    bookedAt: realClock.now(),
  } as const
  const listing = (amount: string) =>
    acquirerWith({
      bookings: async () => ({
        kind: 'ok',
        value: [{ ...booking, amount: Money.ofDecimal('HKD', amount) }],
      }),
    })
  const other = listing('99.00')
  expect(await payments.performCharge(charge)).toMatchObject({
    kind: 'unknown',
    responseMessage: 'Before the recovery the acquirer booked 99.00 HKD under this key.',
  })
  loseLast({ minutes: 3 })
  const same = listing('100.00')
  expect(await payments.performCharge(charge)).toMatchObject(APPROVED)
  expect([...other.charged, ...same.charged]).toEqual([])
  const { rows } = await fixture.admin.query('select reference from acquirer_operations where key = $1', [
    charge.operation.key,
  ])
  expect(rows).toEqual([{ reference: 'pi_1' }])
})

test('where nothing is listed the same request is sent while its key is kept, and nothing afterwards', async () => {
  const merchant = await fixture.newMerchant()
  const { number } = await newOrder(fixture, merchant)
  const charge = await initiate(merchant, number)
  const { charged } = acquirerWith({ keysKeptHours: 2 })
  loseLast({ hours: 3 })
  expect(await payments.performCharge(charge)).toMatchObject({ kind: 'unknown' })
  expect(charged).toEqual([])
  loseLast({ hours: 1 })
  expect(await payments.performCharge(charge)).toMatchObject({ kind: 'approved' })
  expect(charged).toEqual([charge.operation.key])
})

test('days after a recovery attempts are made as always', async () => {
  const merchant = await fixture.newMerchant()
  const { number } = await newOrder(fixture, merchant)
  const charge = await initiate(merchant, number)
  const { charged } = acquirerWith({ keysKeptHours: 2 })
  const recoveredAt = realClock.now().subtract({ hours: 75 })
  fixture.between.lost = [{ since: recoveredAt.subtract({ hours: 1 }), recoveredAt }]
  expect(await payments.performCharge(charge)).toMatchObject({ kind: 'approved' })
  expect(charged).toEqual([charge.operation.key])
})
