import { expect, test } from 'vitest'
import { refusalOf, withKey } from '#platform/testing/requests'
import { CARDS, createFixture, planOf, type PlanJson, Shop } from '../../testing/fixture.ts'

// Proves reference/billing-lifecycle#cancel-unused.

const fixture = await createFixture()
const { recurring } = fixture

/** The period from 31 January to 28 February has 28 days; 14 of them are left on 14 February. */
const START = '2031-01-31T02:00:00Z'
const HALF = '2031-02-14T02:00:00Z'

interface Given {
  readonly card?: string
  readonly price?: number
  readonly changes?: Parameters<Shop['plan']>[1]
}

async function shopWithPlan({ card = CARDS.good, price = 100, changes = {} }: Given = {}) {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer(card)
  const cycle = await shop.cycle({ price })
  const plan = await shop.plan(customer, { recurring_cycles: [cycle], ...changes })
  await shop.advance(START)
  return { shop, customer, plan }
}

function cancelWithRefund(shop: Shop, { id }: PlanJson) {
  return recurring.cancelAsAsked(shop.caller, id, { unused: 'refund' })
}

/** The orders of the plan as state, what is left to pay, and their payments and refunds. */
async function booksOf(shop: Shop, { id }: PlanJson): Promise<string[]> {
  const orders = await shop.orders(id)
  return orders.map(({ state, amount_due: due, transactions }) =>
    [
      state,
      Number(due),
      ...(transactions ?? [])
        .filter(({ success }) => success)
        .map(({ type, amount }) => `${type} ${String(amount)}`),
    ].join(', '),
  )
}

async function afterRefunds(shop: Shop, time: string): Promise<void> {
  await shop.advance(Temporal.Instant.from(time).add({ minutes: 1 }).toString())
}

test('half of a paid period is refunded, and the plan is canceled at once', async () => {
  const { shop, plan } = await shopWithPlan()
  await shop.advance(HALF)
  expect(planOf(await cancelWithRefund(shop, plan)).state).toBe('canceled')
  const [order] = await shop.orders(plan.id)
  expect(order?.transactions?.at(-1)).toMatchObject({
    type: 'Refund',
    amount: -50,
    note: 'Unused part of the period',
  })
  await afterRefunds(shop, HALF)
  expect(await booksOf(shop, plan)).toEqual(['completed, 0, Sales 100, Refund -50'])
  expect(await shop.breaches()).toEqual([])
})

test.each([
  ['on its first day all of it', START, 1_980, 'refunded, 0, Sales 5940, Refund -5940'],
  ['on its last day one of 28 days', '2031-02-27T15:59:59Z', 1_980, 'completed, 0, Sales 5940, Refund -212'],
  ['on the day after that nothing', '2031-02-27T16:00:00Z', 1_980, 'completed, 0, Sales 5940'],
])('of a period in yen is refunded %s', async (_name, time, price, expected) => {
  const shop = await Shop.open(fixture, START)
  const items = [{ quantity: 3, recurring_item_id: await shop.item(price, 'JPY') }]
  const cycle = await shop.cycle({ recurring_items: items })
  const plan = await shop.plan(await shop.customer(CARDS.good), { recurring_cycles: [cycle] })
  await shop.advance(START)
  await shop.advance(time)
  await cancelWithRefund(shop, plan)
  await afterRefunds(shop, time)
  expect(await booksOf(shop, plan)).toEqual([expected])
})

test('of an unpaid period the unused half is no longer due, and all of it on its first day', async () => {
  for (const [time, expected] of [[HALF, 'open, 50'], [START, 'voided, 0']] as const) {
    const { shop, plan } = await shopWithPlan({ card: CARDS.declining, changes: { payment_retry_day_period: 30 } })
    await shop.advance(time)
    await cancelWithRefund(shop, plan)
    await afterRefunds(shop, time)
    expect(await booksOf(shop, plan)).toEqual([expected])
    expect(await shop.breaches()).toEqual([])
  }
}) // prettier-ignore

test('what is unpaid is lowered before anything is refunded', async () => {
  const { shop, customer, plan } = await shopWithPlan({
    card: CARDS.declining,
    changes: { payment_retry_day_period: 30 },
  })
  const [order] = await shop.orders(plan.id)
  await shop.pay(order?.number ?? '', await shop.bind(customer, CARDS.good), { amount: 80 })
  await shop.advance(HALF)
  await cancelWithRefund(shop, plan)
  await afterRefunds(shop, HALF)
  expect(await booksOf(shop, plan)).toEqual(['completed, 0, Sales 80, Refund -30'])
  expect((await shop.orders(plan.id))[0]?.billing?.credited_total).toBe(20)
  expect(await shop.breaches()).toEqual([])
})

test.each([
  ['on the day of the change the payment of the period is refunded after that of the change', '2031-03-15T03:00:00Z', [
    'completed, 0, Sales 39.9', 'completed, 0, Sales 39.9, Refund -20.59', 'refunded, 0, Sales 30.97, Refund -30.97',
  ]],
  ['ten days later only that of the change', '2031-03-25T02:00:00Z', [
    'completed, 0, Sales 39.9', 'completed, 0, Sales 39.9', 'completed, 0, Sales 30.97, Refund -19.34',
  ]],
] as const)('after a change, %s', async (_name, time, expected) => {
  const { shop, plan } = await shopWithPlan({ price: 39.9 })
  await shop.advance('2031-03-15T02:00:00Z')
  const item = await shop.item(99.9)
  await recurring.change(shop.caller, plan.id, { recurring_items: [{ recurring_item_id: item, quantity: 1 }] })
  await shop.advance(time)
  await cancelWithRefund(shop, plan)
  await afterRefunds(shop, time)
  expect(await booksOf(shop, plan)).toEqual(expected)
  expect(await shop.breaches()).toEqual([])
}) // prettier-ignore

test('lines that wait for an order are taken back with it, and what they took back already is refunded', async () => {
  const { shop, plan } = await shopWithPlan({ price: 30 })
  await shop.advance(HALF)
  const item = await shop.item(60)
  await recurring.change(shop.caller, plan.id, {
    recurring_items: [{ recurring_item_id: item, quantity: 1 }],
    proration: 'next_order',
  })
  await cancelWithRefund(shop, plan)
  await afterRefunds(shop, HALF)
  expect(await booksOf(shop, plan)).toEqual(['completed, 0, Sales 30, Refund -15'])
  expect(await shop.breaches()).toEqual([])
})

test('what a refund by hand gave back is not unused any more', async () => {
  const { shop, plan } = await shopWithPlan()
  const [order] = await shop.orders(plan.id)
  const uuid = order?.transactions?.[0]?.uuid ?? ''
  await fixture.payments.refund(shop.caller, { transaction: { uuid }, amount: 80 })
  await shop.advance(HALF)
  await cancelWithRefund(shop, plan)
  await afterRefunds(shop, HALF)
  expect(await booksOf(shop, plan)).toEqual(['completed, 0, Sales 100, Refund -80, Refund -10'])
})

test('a refund whose answer is lost is booked once', async () => {
  const { shop, plan } = await shopWithPlan({ price: 61.7 })
  await shop.advance(HALF)
  await cancelWithRefund(shop, plan)
  await fixture.setFaults({ lose_answer: 1 })
  await shop.advance(HALF)
  expect((await shop.orders(plan.id))[0]?.transactions?.at(-1)?.payment_data.transaction_state).toBe(
    'unknown',
  )
  await fixture.setFaults({})
  await shop.advance('2031-02-14T04:00:00Z')
  expect(await booksOf(shop, plan)).toEqual(['completed, 0, Sales 61.7, Refund -30.85'])
  const refunds = (await fixture.books()).filter((line) => line.operation === 'refund')
  expect(refunds.filter(({ amount }) => amount === '30.85')).toHaveLength(1)
})

test('cancellations at once and again refund once', async () => {
  const { shop, plan } = await shopWithPlan()
  await shop.advance(HALF)
  const keyed = withKey(shop.caller, 'cancel-once')
  await Promise.all([
    cancelWithRefund(shop, plan),
    cancelWithRefund(shop, plan),
    recurring.cancelAsAsked(keyed, plan.id, { unused: 'refund' }).catch(() => undefined),
  ])
  await cancelWithRefund(shop, plan)
  await afterRefunds(shop, HALF)
  expect(await booksOf(shop, plan)).toEqual(['completed, 0, Sales 100, Refund -50'])
})

test("a cancellation that keeps what is unused refunds nothing, and at the period's end nothing is unused", async () => {
  const { shop, plan } = await shopWithPlan()
  await shop.advance(HALF)
  const atEnd = recurring.cancelAsAsked(shop.caller, plan.id, { at_period_end: true, unused: 'refund' })
  expect(await refusalOf(atEnd)).toBe('422 change_inconsistent unused')
  await recurring.cancelAsAsked(shop.caller, plan.id, { unused: 'keep' })
  await afterRefunds(shop, HALF)
  expect(await booksOf(shop, plan)).toEqual(['completed, 0, Sales 100'])
})

test('a trial that is canceled has nothing to give back', async () => {
  const { shop, plan } = await shopWithPlan({ changes: { trial: { days: 30 } } })
  await shop.advance(HALF)
  expect(planOf(await cancelWithRefund(shop, plan))).toMatchObject({
    state: 'canceled',
    trial: { state: 'canceled' },
  })
  expect(await shop.orders(plan.id)).toEqual([])
  const other = await Shop.open(fixture, START)
  expect(await refusalOf(cancelWithRefund(other, plan))).toBe('404 plan_not_found')
})
