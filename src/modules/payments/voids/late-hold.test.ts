import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Acquirer, Outcome } from '#modules/acquirers'
import { verifyPayments } from '../audit/verify.ts'
import { check, createFixture, failure, type Merchant, newOrder, pay } from '../testing/fixture.ts'

// Proves reference/acquirers#adyen.

type FollowUpRequest = Parameters<Acquirer['void']>[0]

const fixture = await createFixture()
const { db, payments } = fixture
const APPROVED = {
  kind: 'approved',
  gatewayTransactionId: 'CANCEL1',
  rrn: '',
  authCode: '',
  batchNumber: '',
  responseCode: 'received',
  responseMessage: 'received',
} as const

afterEach(() => {
  fixture.between.acquirer = fixture.real
})

function recordVoids(answers: readonly Outcome[] = [APPROVED]): FollowUpRequest[] {
  const voids: FollowUpRequest[] = []
  fixture.between.acquirer = {
    ...fixture.real,
    void: async (request) => answers[voids.push(request) - 1] ?? APPROVED,
    inquire: async () => ({ kind: 'absent', closed: false }),
    capabilities: { ...fixture.real.capabilities, closes: new Set(['sale', 'authorization']) },
  }
  return voids
}

async function notify(merchant: Merchant, key: string, accountId = 'simulator'): Promise<void> {
  const subject = { kind: 'hold', reference: 'PSP1', key } as const
  await db.transact(merchant.businessId, (tx) => payments.handleNotice(tx, { accountId, subject }))
  await fixture.advance(merchant.businessId, { seconds: 30 })
}

async function failedCharge() {
  const merchant = await fixture.newMerchant('4000000000009995')
  const { number } = await newOrder(fixture, merchant)
  await failure(pay(fixture, merchant, number))
  const { transactions } = await check(fixture, merchant, number)
  const [failed] = transactions
  return { merchant, number, key: failed?.uuid ?? '', order: await check(fixture, merchant, number) }
}

function breaches({ businessId }: Merchant): Promise<unknown[]> {
  return Array.fromAsync(verifyPayments(db)(businessId))
}

test('a hold that came after its charge had failed is released once, and the charge stays failed', async () => {
  const { merchant, number, key, order } = await failedCharge()
  const voids = recordVoids()
  await notify(merchant, key)
  expect(voids).toMatchObject([{ originalReference: 'PSP1', originalKey: key }])
  expect((await check(fixture, merchant, number)).state).toBe(order.state)
  expect((await check(fixture, merchant, number)).transactions).toMatchObject([
    { success: false, void_is_pending: false },
  ])
  expect(await breaches(merchant)).toEqual([])
})

test('its release is sent again under the same key until somebody answers', async () => {
  const { merchant, key } = await failedCharge()
  const voids = recordVoids([{ kind: 'unknown', responseMessage: 'no answer' }])
  await notify(merchant, key)
  await fixture.advance(merchant.businessId, { minutes: 5 })
  expect(voids.length).toBe(2)
  expect(new Set(voids.map((request) => request.key)).size).toBe(1)
  expect(await breaches(merchant)).toEqual([])
})

test('a hold whose notice came while its charge was being closed is asked about again, and then released', async () => {
  const merchant = await fixture.newMerchant()
  const { number } = await newOrder(fixture, merchant)
  const voids = recordVoids()
  const repeated = vi.spyOn(fixture.acquirers, 'repeatHolds')
  onTestFinished(() => repeated.mockRestore())
  const { acquirer } = fixture.between
  let key = ''
  fixture.between.acquirer = {
    ...acquirer,
    sale: async (request) => {
      key = request.key
      return { kind: 'unknown', responseMessage: 'no answer' }
    },
    inquire: async () => {
      const subject = { kind: 'hold', reference: 'PSP1', key } as const
      await db.transact(merchant.businessId, (tx) =>
        payments.handleNotice(tx, { accountId: 'simulator', subject }),
      )
      return { kind: 'absent', closed: true }
    },
  }
  await failure(pay(fixture, merchant, number))
  await fixture.advance(merchant.businessId, { minutes: 5 })
  expect((await check(fixture, merchant, number)).transactions).toMatchObject([
    { success: false, is_pending: false },
  ])
  expect(voids).toEqual([])
  expect(repeated.mock.calls.map(([, charges]) => charges)).toEqual([[{ accountId: 'simulator', key }]])
  await notify(merchant, key)
  expect(voids).toMatchObject([{ originalReference: 'PSP1', originalKey: key }])
  expect(await breaches(merchant)).toEqual([])
})

test('the hold of a payment that stands, or of another account, is left alone', async () => {
  const paying = await fixture.newMerchant()
  const { number } = await newOrder(fixture, paying)
  const { transaction } = await pay(fixture, paying, number)
  const { merchant, key } = await failedCharge()
  const voids = recordVoids()
  await notify(paying, transaction.uuid)
  await notify(merchant, key, 'acc_other')
  expect(voids).toEqual([])
})
