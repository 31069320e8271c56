import { expect, test } from 'vitest'
import { Money } from '#kernel/money'
import type { Inquiry } from '#modules/acquirers'
import { reasonOf } from '#platform/testing/requests'
import { CARDS, createFixture, Shop } from '../testing/fixture.ts'
import { followUp as refundRequest } from '../../acquirers/testing/simulator.ts'

const fixture = await createFixture()
const { acquirer, payments, recurring } = fixture
const START = '2031-01-31T02:00:00Z'

const DECLINED = {
  kind: 'declined',
  hard: false,
  gatewayTransactionId: 'G1',
  rrn: '',
  authCode: '',
  batchNumber: '',
  responseCode: 'insufficient_funds',
  responseMessage: 'The wallet is empty.',
} as const

/** Replaces the acquirer's next reply to closeKey. */
function closeKeyOnce(close: (reallyClose: () => Promise<Inquiry>) => Promise<Inquiry>): void {
  const real = acquirer.closeKey.bind(acquirer)
  acquirer.closeKey = (lookup) => {
    acquirer.closeKey = real
    return close(() => real(lookup))
  }
}

const stateOf = async (shop: Shop, planId: string) => {
  const [order] = await shop.orders(planId)
  return [order?.state, (await shop.get(planId)).state]
}

// Proves reference/recurring#attempts, reference/recurring#retries, reference/payments#unknown-outcomes.
test("an attempt that is approved during the merchant's void of its order leaves the plan active", async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer()
  await shop.bindWallet(customer)
  const plan = await shop.plan(customer, { payment_retry_count: 1 })
  await shop.advance(START)
  // The wallet has approved by now, but the resolver has not inquired yet.
  await shop.jump('2031-01-31T02:00:02Z')
  await shop.voidOrder((await shop.orders(plan.id))[0]?.number ?? '')
  const [order] = await shop.orders(plan.id)
  expect(order?.transactions.map(({ payment_data: data }) => data.transaction_state)).toEqual(['voided'])
  expect(await stateOf(shop, plan.id)).toEqual(['voided', 'active'])
  expect((await shop.events(plan.id)).map(({ type }) => type)).toEqual(['plan.created', 'cycle.activated'])
  await shop.advance('2031-02-28T03:00:00Z')
  expect((await shop.orders(plan.id)).map(({ state }) => state)).toEqual(['voided', 'completed'])
  expect(await shop.breaches()).toEqual([])
})

test('an attempt that was canceled by a void whose process died leaves the plan active', async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer()
  await shop.bindWallet(customer)
  const plan = await shop.plan(customer, { payment_retry_count: 1 })
  await shop.advance(START)
  closeKeyOnce(async (reallyClose) => {
    await reallyClose()
    throw new Error('the process dies here')
  })
  const voiding = shop.voidOrder((await shop.orders(plan.id))[0]?.number ?? '')
  await expect(voiding).rejects.toThrow('the process dies here')
  await fixture.endLeases()
  await shop.advance('2031-02-01T02:00:00Z')
  expect(await stateOf(shop, plan.id)).toEqual(['voided', 'active'])
  expect((await shop.events(plan.id)).map(({ type }) => type)).toEqual(['plan.created', 'cycle.activated'])
  expect(await shop.breaches()).toEqual([])
})

/** The last of two attempts is pending, and another payment of the order makes the merchant's void fail. */
async function failingVoid(): Promise<{ shop: Shop; planId: string }> {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer(CARDS.declining)
  const plan = await shop.plan(customer, { payment_retry_count: 2 })
  await shop.advance('2031-02-02T01:00:00Z')
  const number = (await shop.orders(plan.id))[0]?.number ?? ''
  const sale = await shop.pay(number, await shop.bind(customer, CARDS.good), { amount: 40 })
  await shop.bindWallet(customer)
  await shop.advance('2031-02-02T02:00:00Z')
  // The acquirer refuses to void a payment that was partly refunded without us.
  const amount = Money.ofDecimal('HKD', '1.00')
  await acquirer.refund(refundRequest({ key: `not-ours-${number}`, at: shop.now, amount, originalKey: sale }))
  return { shop, planId: plan.id }
}

test('an attempt that was canceled for a void is repeated and not counted when the void fails', async () => {
  const { shop, planId } = await failingVoid()
  expect(await reasonOf(shop.voidOrder((await shop.orders(planId))[0]?.number ?? ''))).toBe(
    'acquirer_refused',
  )
  expect((await shop.get(planId)).next_execute_time).toBe('2031-02-02T02:00:00.000Z')
  await shop.advance('2031-02-02T02:01:00Z')
  const [order] = await shop.orders(planId)
  expect(order?.transactions.map(({ payment_data: data }) => data.resp_code)).toEqual([
    'card_declined',
    'approved',
    'canceled',
    'approved',
  ])
  expect(await stateOf(shop, planId)).toEqual(['completed', 'active'])
  expect(await shop.breaches()).toEqual([])
})

test('an attempt that was declined during a void counts when the void fails', async () => {
  const { shop, planId } = await failingVoid()
  closeKeyOnce(async () => DECLINED)
  expect(await reasonOf(shop.voidOrder((await shop.orders(planId))[0]?.number ?? ''))).toBe(
    'acquirer_refused',
  )
  expect(await stateOf(shop, planId)).toEqual(['open', 'uncollectible'])
  expect(await shop.breaches()).toEqual([])
})

test('after a refund of another payment, an approved attempt is the last one and leaves the order past due', async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer(CARDS.declining)
  const plan = await shop.plan(customer, { payment_retry_count: 2 })
  await shop.advance('2031-02-02T01:00:00Z')
  const number = (await shop.orders(plan.id))[0]?.number ?? ''
  const good = await shop.bind(customer, CARDS.good)
  const uuid = await shop.pay(number, good, { amount: 40 })
  await shop.bind(customer, CARDS.silentBooked)
  await shop.advance('2031-02-02T02:00:00Z')
  await payments.refund(shop.caller, { transaction: { uuid } })
  await shop.advance('2031-02-10T00:00:00Z')
  const [order] = await shop.orders(plan.id)
  expect([order?.paid_total, order?.transactions.length]).toEqual(['60.00', 4])
  expect(await stateOf(shop, plan.id)).toEqual(['open', 'past_due'])
  expect((await shop.get(plan.id)).next_execute_time).toBe('2031-02-28T02:00:00.000Z')
  await shop.pay(number, good)
  expect(await stateOf(shop, plan.id)).toEqual(['completed', 'active'])
  expect(await shop.breaches()).toEqual([])
})

/** The process dies after it initiated the charges and before it sends them. The resolver of the next process inquires. */
async function crash(shop: Shop): Promise<void> {
  const run = { businessId: shop.caller.businessId, timeOf: (dueAt: Temporal.Instant) => dueAt }
  const perform = payments.performCharge.bind(payments)
  payments.performCharge = () => new Promise(() => {})
  await recurring.jobs[0]?.run({ ...run, until: shop.now, detach: () => {} })
  payments.performCharge = perform
  await fixture.endLeases()
  await payments.jobs.find(({ name }) => name === 'payment_operations')?.run({ ...run, until: shop.now })
}

const codesOf = async (shop: Shop, planId: string) =>
  (await shop.orders(planId))[0]?.transactions.map(({ payment_data: data }) => data.resp_code)

test('an attempt that was lost with our process is not counted and repeated at once', async () => {
  const shop = await Shop.open(fixture, START)
  const plan = await shop.plan(await shop.customer(CARDS.good), { payment_retry_count: 1 })
  await crash(shop)
  const { next_execute_time: next, state } = await shop.get(plan.id)
  expect([state, next]).toEqual(['active', '2031-01-31T02:00:00.000Z'])
  await shop.advance('2031-01-31T02:01:00Z')
  expect(await codesOf(shop, plan.id)).toEqual(['not_processed', 'approved'])
  expect(await stateOf(shop, plan.id)).toEqual(['completed', 'active'])
  expect((await shop.events(plan.id)).map(({ type }) => type)).toEqual(['plan.created', 'cycle.activated'])
  expect(await shop.breaches()).toEqual([])
})

test('an attempt that was lost with our process is repeated even if the acquirer was unreachable for a while', async () => {
  const shop = await Shop.open(fixture, START)
  const plan = await shop.plan(await shop.customer(CARDS.good), { payment_retry_count: 1 })
  const inquire = acquirer.inquire.bind(acquirer)
  acquirer.inquire = async () => ({ kind: 'unknown', responseMessage: 'unreachable' })
  await crash(shop)
  acquirer.inquire = inquire
  const [order] = await shop.orders(plan.id)
  expect(order?.transactions[0]?.payment_data.transaction_state).toBe('unknown')
  await shop.advance('2031-01-31T03:00:00Z')
  expect(await codesOf(shop, plan.id)).toEqual(['not_processed', 'approved'])
  expect(await stateOf(shop, plan.id)).toEqual(['completed', 'active'])
})

test('an attempt that crashed our process six times counts as failed', async () => {
  const shop = await Shop.open(fixture, START)
  const plan = await shop.plan(await shop.customer(CARDS.good), { payment_retry_count: 1 })
  for (let times = 0; times < 5; times++) await crash(shop)
  expect(await stateOf(shop, plan.id)).toEqual(['open', 'active'])
  await crash(shop)
  expect(await stateOf(shop, plan.id)).toEqual(['open', 'uncollectible'])
  expect(await codesOf(shop, plan.id)).toHaveLength(6)
})
