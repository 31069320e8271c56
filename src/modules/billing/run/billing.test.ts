import { expect, test } from 'vitest'
import { CARDS, createFixture, Shop, planOf } from '../testing/fixture.ts'

const fixture = await createFixture()
const { recurring } = fixture
const START = '2031-01-31T02:00:00Z'

// Proves reference/recurring#billing-dates, reference/recurring#references, reference/recurring#attempts, reference/recurring#credit.
test('a plan is billed at its start and every month after, and each order is charged to the default token', async () => {
  const shop = await Shop.open(fixture, START)
  const plan = await shop.plan(await shop.customer(CARDS.good), { reference_number: 'gold' })
  expect(plan.state).toBe('upcoming')
  expect(plan.next_execute_time).toBe('2031-01-31T02:00:00.000Z')
  expect(plan).not.toHaveProperty('current_order')
  await shop.advance('2031-12-31T03:00:00Z')
  const orders = await shop.orders(plan.id)
  expect(orders.map(({ created_at: at }) => at.slice(0, 10))).toEqual([
    '2031-01-31', '2031-02-28', '2031-03-31', '2031-04-30', '2031-05-31', '2031-06-30',
    '2031-07-31', '2031-08-31', '2031-09-30', '2031-10-31', '2031-11-30', '2031-12-31',
  ]) // prettier-ignore
  expect(orders.map(({ reference_number: reference }) => reference)).toEqual(
    orders.map((_order, index) => `gold-${index + 1}`),
  )
  expect(new Set(orders.map(({ state, paid_total: paid }) => `${state} ${paid}`))).toEqual(
    new Set(['completed 100.00']),
  )
  const now = await shop.get(plan.id)
  expect(now.state).toBe('active')
  expect(now.recurring_cycles[0]?.billing_count_created).toBe(12)
  expect(now.current_order?.reference_number).toBe('gold-12')
  expect(now).not.toHaveProperty('current_payment_link')
  expect((await shop.events(plan.id)).map(({ type }) => type)).toEqual(['plan.created', 'cycle.activated'])
  expect(await shop.breaches()).toEqual([])
})

test('billing skips a suffix whose reference number another order has', async () => {
  const shop = await Shop.open(fixture, START)
  const taken = { currency: 'HKD', initial_total: 5 }
  await fixture.payments.createOrder(shop.caller, { ...taken, reference_number: 'gold-1' }, false)
  await fixture.payments.createOrder(shop.caller, { ...taken, reference_number: 'gold-2' }, false)
  const plan = await shop.plan(await shop.customer(CARDS.good), { reference_number: 'gold' })
  await shop.advance('2031-03-01T00:00:00Z')
  expect((await shop.orders(plan.id)).map(({ reference_number: reference }) => reference)).toEqual([
    'gold-3',
    'gold-4',
  ])
})

test('a free phase creates paid orders of 0 without an attempt, and orders list discount and credit as lines', async () => {
  const shop = await Shop.open(fixture, START)
  const free = await shop.cycle({ billing_count: 1, discount_amount: 100, discount_type: 'percentage' })
  const paid = await shop.cycle({ discount_amount: 10 })
  const plan = await shop.plan(await shop.customer(CARDS.good), { recurring_cycles: [free, paid] })
  await recurring.credit(shop.caller, plan.id, { amount: 40, note: 'sorry' })
  await shop.advance('2031-03-31T03:00:00Z')
  const orders = await shop.orders(plan.id)
  expect(orders.map(({ initial_total: total, state }) => [total, state])).toEqual([
    [0, 'completed'],
    [50, 'completed'],
    [90, 'completed'],
  ])
  expect(orders[0]?.transactions).toEqual([])
  expect(orders[1]?.line_items?.map(({ label, total }) => [label, total])).toEqual([
    ['Gold', 100],
    ['Discount', -10],
    ['Credit', -40],
  ])
  expect((await shop.get(plan.id)).credit).toBe(0)
  expect((await shop.get(plan.id)).recurring_cycles.map(({ state }) => state)).toEqual([
    'completed',
    'active',
  ])
  expect(await shop.breaches()).toEqual([])
})

test('a plan is never billed for a day of a pause that began before the worker ran, and keeps its billing dates', async () => {
  const shop = await Shop.open(fixture, '2031-01-01T02:00:00Z')
  const daily = await shop.cycle({ recurring_billing_config: 'FREQ=DAILY' })
  const plan = await shop.plan(await shop.customer(CARDS.good), { recurring_cycles: [daily] })
  const dates: (string | null)[] = []
  for (const [from, until] of [
    ['2031-01-01T02:00:00.086Z', '2031-01-03T03:00:00Z'],
    ['2031-01-03T03:00:00Z', '2031-01-06T03:00:00Z'],
    ['2031-01-07T02:00:00.086Z', '2031-01-09T03:00:00Z'],
  ] as const) {
    await shop.jump(from)
    await recurring.pause(shop.caller, plan.id)
    await shop.advance(until)
    dates.push(planOf(await recurring.resume(shop.caller, plan.id)).next_execute_time)
  }
  expect(dates).toEqual(['2031-01-04T02:00:00.000Z', '2031-01-07T02:00:00.000Z', '2031-01-10T02:00:00.000Z'])
  await shop.advance('2031-01-10T03:00:00Z')
  expect((await shop.orders(plan.id)).map(({ created_at: at }) => at)).toEqual(['2031-01-10T02:00:00.000Z'])
  expect(await shop.breaches()).toEqual([])
})

test('periods that were due before a cancellation are billed, however late the worker runs', async () => {
  const shop = await Shop.open(fixture, '2031-01-01T02:00:00Z')
  const weekly = await shop.cycle({ recurring_billing_config: 'FREQ=WEEKLY' })
  const plan = await shop.plan(await shop.customer(CARDS.good), { recurring_cycles: [weekly] })
  await shop.advance('2031-01-01T02:00:00Z')
  await shop.jump('2031-01-17T02:00:00Z')
  await recurring.cancel(shop.caller, plan.id, true)
  await shop.jump('2031-01-25T02:00:00Z')
  const run = { businessId: shop.caller.businessId, until: shop.now, timeOf: () => shop.now }
  await recurring.jobs[0]?.run(run)
  expect((await shop.orders(plan.id)).map(({ state }) => state)).toEqual([
    'completed',
    'completed',
    'completed',
  ])
  expect((await shop.get(plan.id)).state).toBe('canceled')
  expect(await shop.breaches()).toEqual([])
})

test('concurrent runs bill every plan once', async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer(CARDS.good)
  const plans = await Promise.all(Array.from({ length: 20 }, () => shop.plan(customer)))
  const [job] = recurring.jobs
  const until = Temporal.Instant.from(START)
  const run = async () => job?.run({ businessId: shop.caller.businessId, until, timeOf: (dueAt) => dueAt })
  await Promise.all([run(), run(), run(), run()])
  await run()
  for (const plan of plans) {
    const orders = await shop.orders(plan.id)
    expect(orders.map(({ state, transactions }) => [state, transactions.length])).toEqual([['completed', 1]])
  }
  expect(await shop.breaches()).toEqual([])
})
