import { expect, test } from 'vitest'
import { Money } from '#kernel/money'
import { reasonOf } from '#platform/testing/requests'
import { CARDS, createFixture, Shop } from '../testing/fixture.ts'
import { followUp as refundRequest } from '../../acquirers/testing/simulator.ts'

const fixture = await createFixture()
const { recurring } = fixture
const START = '2031-01-31T02:00:00Z'

// Proves reference/recurring#attempts, reference/recurring#retries, reference/recurring#hard-declines, reference/recurring#grace, reference/recurring#uncollectible, reference/recurring#credit.
test('a plan with a declining card becomes uncollectible after its retries, and its order is voided after grace', async () => {
  const shop = await Shop.open(fixture, START)
  const plan = await shop.plan(await shop.customer(CARDS.declining), { grace_period: 7 })
  await shop.advance('2031-02-04T01:59:59Z')
  expect((await shop.get(plan.id)).state).toBe('past_due')
  expect((await shop.get(plan.id)).current_payment_link).toMatch(/^http/)
  await shop.advance('2031-02-04T02:00:00Z')
  expect((await shop.get(plan.id)).state).toBe('uncollectible')
  await shop.advance('2031-02-11T01:59:59Z')
  expect((await shop.orders(plan.id))[0]?.state).toBe('open')
  await shop.advance('2032-01-01T00:00:00Z')
  const [order, ...others] = await shop.orders(plan.id)
  expect(others).toEqual([])
  expect(order?.state).toBe('voided')
  expect(order?.transactions.map(({ created_at: at }) => at)).toEqual([
    '2031-01-31T02:00:00.000Z',
    '2031-02-02T02:00:00.000Z',
    '2031-02-04T02:00:00.000Z',
  ])
  expect((await shop.events(plan.id)).map(({ type, at }) => `${at.slice(0, 10)} ${type}`)).toEqual([
    '2031-01-31 plan.created',
    '2031-01-31 cycle.activated',
    '2031-01-31 cycle.past_due',
    '2031-02-04 cycle.uncollectible',
  ])
  expect((await shop.events(order?.number ?? '')).at(-1)).toMatchObject({
    type: 'order.voided',
    at: '2031-02-11T02:00:00.000Z',
  })
  expect((await shop.get(plan.id)).next_execute_time).toBeNull()
  expect(await shop.breaches()).toEqual([])
})

test('the next attempt charges a new default card and makes the cycle active again', async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer(CARDS.declining)
  const plan = await shop.plan(customer)
  await shop.advance('2031-02-01T00:00:00Z')
  const token = await shop.bind(customer, CARDS.good)
  await shop.advance('2031-02-03T00:00:00Z')
  const [order] = await shop.orders(plan.id)
  expect(order?.state).toBe('completed')
  expect(order?.transactions.map(({ payment_data: { transaction_state: state } }) => state)).toEqual([
    'failed',
    'succeeded',
  ])
  expect(order?.transactions[1]?.payment_data.token).toBe(token)
  expect((await shop.get(plan.id)).state).toBe('active')
})

test('a payment during grace completes the order, and billing continues on the original dates', async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer(CARDS.declining)
  const plan = await shop.plan(customer, { grace_period: 60, payment_retry_count: 1 })
  await shop.advance('2031-03-15T00:00:00Z')
  const token = await shop.bind(customer, CARDS.good)
  const [order] = await shop.orders(plan.id)
  await shop.pay(order?.number ?? '', token)
  expect((await shop.get(plan.id)).state).toBe('active')
  await shop.advance('2031-04-01T00:00:00Z')
  const orders = await shop.orders(plan.id)
  expect(orders.map(({ state, created_at: at }) => `${at.slice(0, 10)} ${state}`)).toEqual([
    '2031-01-31 completed',
    '2031-03-31 completed',
  ])
  expect(await shop.breaches()).toEqual([])
})

test('an attempt without a token is recorded as failed and counts', async () => {
  const shop = await Shop.open(fixture, START)
  const plan = await shop.plan(await shop.customer(), { payment_retry_count: 2 })
  await shop.advance('2031-02-10T00:00:00Z')
  const [order] = await shop.orders(plan.id)
  expect(order?.transactions.map(({ payment_data: { resp_code: code } }) => code)).toEqual([
    'no_payment_token',
    'no_payment_token',
  ])
  expect((await shop.get(plan.id)).state).toBe('uncollectible')
})

test('a stolen card is charged once; further attempts fail with the same code and without a call', async () => {
  const shop = await Shop.open(fixture, START)
  const plan = await shop.plan(await shop.customer(CARDS.stolen), { payment_retry_count: 2 })
  const before = await booked()
  await shop.advance('2031-02-10T00:00:00Z')
  const [order] = await shop.orders(plan.id)
  const codes = order?.transactions.map(({ payment_data: { resp_code: code } }) => code) ?? []
  expect(codes).toHaveLength(2)
  expect(codes[1]).toBe(codes[0])
  expect((await booked()) - before).toBe(1)
})

async function booked(): Promise<number> {
  return (await fixture.books()).filter(({ operation }) => operation === 'sale').length
}

test('an unknown outcome blocks the next attempt until the resolver finds a success or a failure', async () => {
  const shop = await Shop.open(fixture, START)
  const approved = await shop.plan(await shop.customer(CARDS.silentBooked))
  const unbooked = await shop.plan(await shop.customer(CARDS.silentUnbooked), { payment_retry_count: 1 })
  await shop.advance(START)
  const [unknown] = await shop.orders(approved.id)
  expect(unknown?.transactions[0]?.payment_data.transaction_state).toBe('unknown')
  expect((await shop.get(approved.id)).state).toBe('active')
  await shop.advance('2031-01-31T05:00:00Z')
  expect((await shop.orders(approved.id))[0]?.state).toBe('completed')
  expect((await shop.get(approved.id)).state).toBe('active')
  expect((await shop.orders(unbooked.id))[0]?.state).toBe('open')
  expect((await shop.get(unbooked.id)).state).toBe('uncollectible')
})

test("a merchant's void of a past due order ends its attempts, returns its credit and makes the cycle active", async () => {
  const shop = await Shop.open(fixture, START)
  const plan = await shop.plan(await shop.customer(CARDS.declining))
  await recurring.credit(shop.caller, plan.id, { amount: 30 })
  await shop.advance('2031-02-01T00:00:00Z')
  const [order] = await shop.orders(plan.id)
  await shop.voidOrder(order?.number ?? '')
  const now = await shop.get(plan.id)
  expect([now.state, now.credit]).toEqual(['active', 30])
  await shop.advance('2031-02-20T00:00:00Z')
  expect((await shop.orders(plan.id))[0]?.transactions).toHaveLength(1)
  expect(await shop.breaches()).toEqual([])
})

test('recording an outcome keeps the changes that a merchant made during the charge', async () => {
  const shop = await Shop.open(fixture, START)
  const plan = await shop.plan(await shop.customer(CARDS.declining))
  const { payments } = fixture
  const perform = payments.performCharge.bind(payments)
  payments.performCharge = async (charge) => {
    const outcome = await perform(charge)
    if (charge.businessId !== shop.caller.businessId) return outcome
    await recurring.edit(shop.caller, plan.id, { name: 'Platinum', payment_retry_count: 2 })
    await recurring.credit(shop.caller, plan.id, { amount: 7 })
    return outcome
  }
  try {
    await shop.advance(START)
  } finally {
    payments.performCharge = perform
  }
  const now = await shop.get(plan.id)
  expect(now).toMatchObject({ name: 'Platinum', payment_retry_count: 2, credit: 7, state: 'past_due' })
  await shop.advance('2031-02-02T03:00:00Z')
  expect(await shop.get(plan.id)).toMatchObject({ state: 'uncollectible', credit: 7 })
  const [order] = await shop.orders(plan.id)
  expect(order?.transactions.map(({ payment_data: data }) => data.transaction_state)).toEqual([
    'failed',
    'failed',
  ])
  expect(await shop.breaches()).toEqual([])
})

test('an order that was reopened during the last attempt of another order is voided with it after grace', async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer(CARDS.declining)
  const rule = { recurring_billing_config: 'FREQ=DAILY' }
  const plan = await shop.plan(customer, {
    payment_retry_day_period: 5,
    grace_period: 3,
    recurring_cycles: [await shop.cycle({ ...rule, billing_count: 1 }), await shop.cycle(rule)],
  })
  await shop.advance('2031-02-01T01:00:00Z')
  const [first] = await shop.orders(plan.id)
  await shop.pay(first?.number ?? '', await shop.bind(customer, CARDS.good))
  await shop.bind(customer, CARDS.declining)
  await recurring.edit(shop.caller, plan.id, { payment_retry_count: 1 })
  const uuid = (await shop.orders(plan.id))[0]?.transactions[1]?.uuid ?? ''
  const { payments } = fixture
  const perform = payments.performCharge.bind(payments)
  payments.performCharge = async (charge) => {
    payments.performCharge = perform
    await payments.voidTransaction(shop.caller, { transaction: { uuid } })
    return perform(charge)
  }
  await shop.advance('2031-02-01T02:00:00Z')
  expect((await shop.get(plan.id)).state).toBe('uncollectible')
  await shop.advance('2031-02-05T00:00:00Z')
  expect((await shop.orders(plan.id)).map(({ state }) => state)).toEqual(['voided', 'voided'])
  expect(await shop.breaches()).toEqual([])
})

test("the merchant's payment of unknown outcome blocks the scheduled attempt until it is resolved", async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer(CARDS.declining)
  const plan = await shop.plan(customer, { payment_retry_day_period: 1 })
  await shop.advance('2031-02-01T01:59:59.500Z')
  const [order] = await shop.orders(plan.id)
  const silent = await shop.bind(customer, CARDS.silentUnbooked)
  await shop.bind(customer, CARDS.good)
  expect(await reasonOf(shop.pay(order?.number ?? '', silent))).toBe('outcome_unknown')
  await shop.advance('2031-02-01T02:00:00.400Z')
  const blocked = await shop.orders(plan.id)
  expect(blocked[0]?.transactions.map(({ success }) => success)).toEqual([false, false])
  await shop.advance('2031-02-01T02:00:01Z')
  const [paid] = await shop.orders(plan.id)
  expect(paid?.transactions.map(({ success }) => success)).toEqual([false, false, true])
  expect((await shop.get(plan.id)).state).toBe('active')
})

test('an unknown outcome also blocks an attempt that would fail without a call after a hard decline', async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer()
  const silent = await shop.bind(customer, CARDS.silentUnbooked)
  await shop.bind(customer, CARDS.stolen)
  const plan = await shop.plan(customer)
  await shop.advance('2031-02-02T01:59:59.500Z')
  const [order] = await shop.orders(plan.id)
  expect(await reasonOf(shop.pay(order?.number ?? '', silent))).toBe('outcome_unknown')
  const statesOf = async () =>
    (await shop.orders(plan.id))[0]?.transactions.map(({ payment_data: data }) => data.transaction_state)
  await shop.advance('2031-02-02T02:00:00.400Z')
  expect(await statesOf()).toEqual(['failed', 'unknown'])
  await shop.advance('2031-02-02T02:00:01Z')
  expect(await statesOf()).toEqual(['failed', 'failed', 'failed'])
  expect(await shop.breaches()).toEqual([])
})

test('an attempt without a token waits for the void of its order and does not hold up other plans', async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer()
  const voided = await shop.plan(customer)
  const other = await shop.plan(await shop.customer(CARDS.good), { start_date: '2031-02-02T02:00:00Z' })
  await shop.advance('2031-02-02T01:59:59.500Z')
  const number = (await shop.orders(voided.id))[0]?.number ?? ''
  const token = await shop.bind(customer, CARDS.good)
  const part = { type: 'Sales', payment_token: token, amount: 40 } as const
  await fixture.payments.payOrder(shop.caller, { order: { number }, transaction: part })
  await fixture.customers.deleteToken(shop.caller, customer, token)
  await fixture.setFaults({ lose_answer: 1 })
  expect(await reasonOf(shop.voidOrder(number))).toBe('outcome_unknown')
  await fixture.setFaults({})
  await shop.advance('2031-02-02T02:00:00.400Z')
  expect((await shop.orders(voided.id))[0]?.transactions).toHaveLength(2)
  expect((await shop.orders(other.id))[0]?.state).toBe('completed')
  await shop.advance('2031-02-10T00:00:00Z')
  expect((await shop.orders(voided.id))[0]?.state).toBe('voided')
  expect((await shop.get(voided.id)).state).toBe('active')
  expect(await shop.breaches()).toEqual([])
})

test("the plan voids an order at the end of grace when the merchant's void fails", async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer(CARDS.declining)
  const plan = await shop.plan(customer, { payment_retry_count: 1, grace_period: 1 })
  await shop.advance('2031-01-31T03:00:00Z')
  const number = (await shop.orders(plan.id))[0]?.number ?? ''
  const part = { type: 'Sales', payment_token: await shop.bind(customer, CARDS.good), amount: 40 } as const
  await fixture.payments.payOrder(shop.caller, { order: { number }, transaction: part })
  await fixture.setFaults({ fail_before: 1 })
  expect(await reasonOf(shop.voidOrder(number))).toBe('outcome_unknown')
  await fixture.setFaults({})
  // The resolver finds that nothing was voided. At the end of grace the payment is settled, so the merchant's void fails.
  const run = {
    businessId: shop.caller.businessId,
    until: Temporal.Instant.from('2031-02-01T02:00:00Z'),
    timeOf: (dueAt: Temporal.Instant) => dueAt,
  }
  const jobs = [...fixture.payments.jobs, ...recurring.jobs]
  for (const name of ['payment_operations', 'recurring', 'order_voids', 'recurring', 'order_voids'])
    await jobs.find((job) => job.name === name)?.run(run)
  const [order] = await shop.orders(plan.id)
  expect([order?.state, order?.paid_total]).toEqual(['voided', '0.00'])
  expect((await shop.get(plan.id)).state).toBe('uncollectible')
  expect(await shop.breaches()).toEqual([])
})

test('an order is not voided if a payment ends its grace just before the void', async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer(CARDS.declining)
  const plan = await shop.plan(customer, { payment_retry_day_period: 40, grace_period: 3 })
  await shop.advance('2031-02-01T00:00:00Z')
  await recurring.edit(shop.caller, plan.id, { payment_retry_count: 1 })
  await shop.advance('2031-03-01T00:00:00Z')
  // The second order has no retries left. The first is in grace only because of it.
  const exhausted = (await shop.orders(plan.id))[1]?.number ?? ''
  const token = await shop.bind(customer, CARDS.good)
  const { payments } = fixture
  const voidNow = payments.voidOrdersNow.bind(payments)
  payments.voidOrdersNow = async (...args) => {
    payments.voidOrdersNow = voidNow
    await shop.pay(exhausted, token)
    return voidNow(...args)
  }
  await shop.advance('2031-03-10T00:00:00Z')
  expect((await shop.orders(plan.id)).map(({ state }) => state)).toEqual(['open', 'completed'])
  await shop.advance('2031-03-13T00:00:00Z')
  expect((await shop.orders(plan.id)).map(({ state }) => state)).toEqual(['completed', 'completed'])
  expect(await shop.breaches()).toEqual([])
})

test.each(['is uncollectible', 'is canceled'])(
  "an order whose attempt waits for the merchant's authorization is voided at the end of grace when the plan %s",
  async (end) => {
    const shop = await Shop.open(fixture, START)
    const customer = await shop.customer()
    const token = await shop.bind(customer, CARDS.good)
    await shop.bind(customer, CARDS.declining)
    const plan = await shop.plan(customer, {
      payment_retry_count: 2,
      payment_retry_day_period: 1,
      grace_period: 3,
      recurring_cycles: [await shop.cycle({ recurring_billing_config: 'FREQ=DAILY' })],
    })
    await shop.advance(START)
    const [first] = await shop.orders(plan.id)
    await shop.pay(first?.number ?? '', token, { type: 'Authorization', amount: 40 })
    await shop.advance('2031-02-02T01:59:59Z')
    if (end === 'is canceled') await recurring.cancel(shop.caller, plan.id, false)
    await shop.advance('2031-02-05T02:00:00Z')
    expect((await shop.orders(plan.id)).map(({ state }) => state)).toEqual(['voided', 'voided'])
    expect(await shop.breaches()).toEqual([])
  },
)

test("a merchant's void of a payment reopens the order, and a void of the order returns its credit", async () => {
  const shop = await Shop.open(fixture, START)
  const plan = await shop.plan(await shop.customer(CARDS.good))
  await recurring.credit(shop.caller, plan.id, { amount: 30 })
  await shop.advance('2031-01-31T03:00:00Z')
  const [order] = await shop.orders(plan.id)
  const uuid = order?.transactions[0]?.uuid ?? ''
  await fixture.payments.voidTransaction(shop.caller, { transaction: { uuid } })
  expect((await shop.get(plan.id)).state).toBe('past_due')
  expect((await shop.get(plan.id)).next_execute_time).toBe('2031-02-28T02:00:00.000Z')
  await shop.voidOrder(order?.number ?? '')
  const now = await shop.get(plan.id)
  expect([now.state, now.credit]).toEqual(['active', 30])
  expect(await shop.breaches()).toEqual([])
})

test.each(['voided', 'open'])(
  'the plan learns of the void of a paid order when the void has ended, and the order is %s',
  async (state) => {
    const shop = await Shop.open(fixture, START)
    const customer = await shop.customer()
    const token = await shop.bind(customer, CARDS.good)
    await shop.bind(customer, CARDS.declining)
    const plan = await shop.plan(customer)
    await shop.advance(START)
    const number = (await shop.orders(plan.id))[0]?.number ?? ''
    const hold = await shop.pay(number, token, { type: 'Authorization', amount: 50 })
    await fixture.payments.capture(shop.caller, { transaction: { uuid: hold } })
    const sale = await shop.pay(number, token)
    if (state === 'open') {
      // The acquirer refuses to void a payment that was partly refunded without us, so only the capture is voided.
      const amount = Money.ofDecimal('HKD', '1.00')
      await fixture.acquirer.refund(
        refundRequest({ key: 'not-ours', at: shop.now, amount, originalKey: sale }),
      )
    }
    expect(await reasonOf(shop.voidOrder(number))).toBe(state === 'open' ? 'acquirer_refused' : 'done')
    expect((await shop.orders(plan.id))[0]).toMatchObject({ state })
    expect((await shop.events(plan.id)).map(({ type }) => type)).toEqual([
      'plan.created',
      'cycle.activated',
      'cycle.past_due',
      'cycle.activated',
      ...(state === 'open' ? ['cycle.past_due'] : []),
    ])
    expect(await shop.breaches()).toEqual([])
  },
)
