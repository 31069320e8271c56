import { afterEach, expect, test } from 'vitest'
import { Money } from '#kernel/money'
import type { Acquirer, Inquiry } from '#modules/acquirers'
import { check, createFixture, failure, followUp, type Merchant, newOrder, pay } from '../testing/fixture.ts'

// Proves reference/payments#unknown-outcomes.

const fixture = await createFixture()
const { db, payments } = fixture

afterEach(() => {
  fixture.between.acquirer = fixture.real
})

const APPROVED = {
  kind: 'approved',
  gatewayTransactionId: 'gw_late',
  rrn: '',
  authCode: '',
  batchNumber: '',
  responseCode: 'approved',
  responseMessage: 'Approved.',
} as const

type Call = 'sale' | 'capture' | 'refund' | 'void'

/** An acquirer whose approval is late, and which cancels what it has not answered when its key is closed. */
function delayApprovalOf(call: Call) {
  const [sent, approval] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const [closing, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  fixture.between.acquirer = {
    ...fixture.real,
    [call]: async () => {
      sent.resolve()
      await approval.promise
      return APPROVED
    },
    inquire: async () => ({ kind: 'absent', closed: false }),
    closeKey: async (): Promise<Inquiry> => {
      closing.resolve()
      await closed.promise
      return { kind: 'absent', closed: true }
    },
  }
  return { sent, approval, closing, closed }
}

/** As 30 s without an answer do. */
async function expireLeases(merchant: Merchant): Promise<void> {
  await fixture.admin.query(
    `update acquirer_operations set leased_until = now() - interval '1 s' where business_id = $1`,
    [merchant.businessId],
  )
}

async function resolve(merchant: Merchant): Promise<void> {
  const { businessId } = merchant
  const now = await db.transact(businessId, async (tx) => tx.now)
  const until = now.add({ seconds: 30 })
  const resolver = payments.jobs.find((job) => job.name === 'payment_operations')
  await resolver?.run({ businessId, until, timeOf: () => until })
}

/** Prepares an order for one call to the acquirer, and returns the request that makes the call. */
async function prepare(merchant: Merchant, call: Call) {
  const { number } = await newOrder(fixture, merchant)
  if (call === 'sale') return { number, request: () => pay(fixture, merchant, number) }
  const type = call === 'capture' ? 'Authorization' : 'Sales'
  const { uuid } = (await pay(fixture, merchant, number, { type })).transaction
  const operation = call === 'void' ? 'voidTransaction' : call
  return { number, request: () => followUp(fixture, merchant, operation, uuid) }
}

test.each(['sale', 'capture', 'refund', 'void'] as const)(
  'a late approval of a %s changes nothing once the resolver has taken over its lease',
  async (call) => {
    const merchant = await fixture.newMerchant()
    const { number, request } = await prepare(merchant, call)
    const before = await check(fixture, merchant, number)
    const { sent, approval, closing, closed } = delayApprovalOf(call)
    const requested = failure(request())
    await sent.promise
    await expireLeases(merchant)
    const resolving = resolve(merchant)
    await closing.promise
    approval.resolve()
    expect(await requested).toMatchObject({ status: 504, reason: 'outcome_unknown' })
    closed.resolve()
    await resolving
    const after = await check(fixture, merchant, number)
    expect(after).toMatchObject({ state: before.state, paid_total: before.paid_total })
    if (call === 'void') expect(after.transactions).toMatchObject([{ success: true, void_is_pending: false }])
    else {
      expect(after.transactions.at(-1)?.payment_data).toMatchObject({
        transaction_state: 'failed',
        resp_code: 'not_processed',
      })
    }
  },
)

test.each(['sale', 'capture', 'refund', 'void'] as const)(
  'the caller of a late %s gets the outcome that the resolver has recorded meanwhile',
  async (call) => {
    const merchant = await fixture.newMerchant()
    const { request } = await prepare(merchant, call)
    const { sent, approval, closed } = delayApprovalOf(call)
    const requested = failure(request())
    await sent.promise
    await expireLeases(merchant)
    closed.resolve()
    await resolve(merchant)
    approval.resolve()
    expect(await requested).toMatchObject({ status: 502, reason: 'not_processed' })
  },
)

test('an expired lease belongs to its sender as long as nobody takes it over', async () => {
  const merchant = await fixture.newMerchant()
  const { number, request } = await prepare(merchant, 'sale')
  const { sent, approval } = delayApprovalOf('sale')
  const requested = request()
  await sent.promise
  await expireLeases(merchant)
  await fixture.endLeases()
  approval.resolve()
  expect((await requested).order.state).toBe('completed')
  expect(await check(fixture, merchant, number)).toMatchObject({ state: 'completed', paid_total: '100.00' })
})

test('a late void does not count while a second request closes its key and sends another one', async () => {
  const merchant = await fixture.newMerchant()
  const { number, request } = await prepare(merchant, 'void')
  const { sent, approval, closing, closed } = delayApprovalOf('void')
  const first = failure(request())
  await sent.promise
  await expireLeases(merchant)
  const second = request()
  await closing.promise
  approval.resolve()
  expect(await first).toMatchObject({ status: 504, reason: 'outcome_unknown' })
  expect(await check(fixture, merchant, number)).toMatchObject({ state: 'completed' })
  fixture.between.acquirer = fixture.real
  closed.resolve()
  expect((await second).transaction).toMatchObject({ success: false, void_is_pending: false })
})

interface Lease {
  readonly lease_id: string | null
  readonly is_held: boolean
}

async function leaseOf(merchant: Merchant): Promise<Lease | undefined> {
  const { rows } = await fixture.admin.query<Lease>(
    `select lease_id, coalesce(leased_until > now(), false) as is_held from acquirer_operations
      where business_id = $1`,
    [merchant.businessId],
  )
  return rows[0]
}

test('a charge whose lease was taken over is neither extended nor recorded by its sender', async () => {
  const merchant = await fixture.newMerchant()
  const { businessId } = merchant
  const { number } = await newOrder(fixture, merchant)
  const token = await db.transact(businessId, async (tx) =>
    (await fixture.customers.findTokens(tx, [merchant.token])).get(merchant.token),
  )
  if (token === undefined) throw new Error('the token was not found')
  const [charge] = await db.transact(businessId, (tx) =>
    payments.initiateCharges(tx, [
      { orderId: number, type: 'Sales', token, payerPresent: false, at: tx.now },
    ]),
  )
  if (charge === undefined || 'refused' in charge) throw new Error('the charge was refused')
  const extend = () => db.transact(businessId, (tx) => payments.extendChargeLeases(tx, [charge]))
  await expireLeases(merchant)
  await extend()
  expect(await leaseOf(merchant)).toEqual({ lease_id: charge.operation.leaseId, is_held: true })
  const { closing, closed } = delayApprovalOf('sale')
  await expireLeases(merchant)
  await fixture.admin.query('update acquirer_operations set due_at = now() where business_id = $1', [
    businessId,
  ])
  const resolving = resolve(merchant)
  await closing.promise
  await expireLeases(merchant)
  await extend()
  expect(await leaseOf(merchant)).toMatchObject({ is_held: false })
  const [recorded] = await db.transact(businessId, (tx) =>
    payments.recordOutcomes(tx, [{ charge, outcome: APPROVED, at: tx.now }]),
  )
  expect(recorded).toMatchObject({
    transaction: { state: 'initiated' },
    order: { state: 'open', paidTotal: Money.zero('HKD') },
  })
  closed.resolve()
  await resolving
  expect((await check(fixture, merchant, number)).transactions).toMatchObject([{ success: false }])
})

test('a resolver that fails late does not release the lease of the one that took over', async () => {
  const merchant = await fixture.newMerchant()
  const { number, request } = await prepare(merchant, 'sale')
  const lost: Acquirer['sale'] = async () => ({ kind: 'unknown', responseMessage: 'no answer' })
  fixture.between.acquirer = { ...fixture.real, sale: lost }
  await failure(request())
  const inquiries = [Promise.withResolvers<Inquiry>(), Promise.withResolvers<Inquiry>()]
  let started = 0
  fixture.between.acquirer = {
    ...fixture.real,
    inquire: async () => inquiries[started++]?.promise ?? { kind: 'absent', closed: true },
  }
  const first = resolve(merchant)
  await expect.poll(() => started).toBe(1)
  await expireLeases(merchant)
  const second = resolve(merchant)
  await expect.poll(() => started).toBe(2)
  inquiries[0]?.reject(new Error('a defect'))
  await expect(first).rejects.toThrow('a defect')
  expect(await leaseOf(merchant)).toMatchObject({ is_held: true })
  inquiries[1]?.resolve(APPROVED)
  await second
  expect(await check(fixture, merchant, number)).toMatchObject({ state: 'completed' })
})
