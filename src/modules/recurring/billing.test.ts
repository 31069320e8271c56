import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { RequestError } from '#kernel/errors'
import { Money } from '#kernel/money'
import { Answer } from '#platform/http/route'
import { untilWaiting } from '#platform/testing/database'
import { CARDS, createFixture, Shop, shown, shownPlan, type ShownPlan } from './testing/fixture.ts'

const fixture = await createFixture()
const { recurring } = fixture
const START = '2031-01-31T02:00:00Z'

const conflict = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof RequestError ? error.reason : 'failed'),
  )

test('a plan is billed at its start and every month after, each order charged to the default token', async () => {
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

test('a plan whose card declines is tried, becomes uncollectible and its order is voided after the grace', async () => {
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

test('a new default card in the middle is taken by the next attempt, and the cycle is active again', async () => {
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

test('a payment during grace completes the order; the plan goes on with the next period on its original date', async () => {
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

test('without a token an attempt is recorded as failed, and counted', async () => {
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

test('a stolen card is sent to the acquirer once; further attempts fail with its reason without a call', async () => {
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

test('an unknown outcome blocks the next attempt until it is resolved, in either direction', async () => {
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

test('a suffix that another order has is skipped', async () => {
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

test('a free phase makes orders of 0, paid at once without an attempt; discounts and credit stand in lines', async () => {
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
  expect(orders[1]?.line_items.map(({ label, total }) => [label, total])).toEqual([
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

test('credit that would have more than 15 digits before the point is refused, and what is there stays', async () => {
  const shop = await Shop.open(fixture, START)
  const { id } = await shop.plan(await shop.customer(), { start_date: '2031-03-01' })
  const grant = async (amount: number): Promise<string> =>
    conflict(recurring.credit(shop.caller, id, { amount, note: null }))
  expect(await grant(999_999_999_999_989)).toBe('done')
  expect(await grant(11)).toBe('credit_invalid')
  expect(await grant(10)).toBe('done')
  expect((await shop.get(id)).credit).toBe(999_999_999_999_999)
  expect(await shop.breaches()).toEqual([])
})

test("a merchant's void ends the attempts of a past due order, the cycle is active and its credit returns", async () => {
  const shop = await Shop.open(fixture, START)
  const plan = await shop.plan(await shop.customer(CARDS.declining))
  await recurring.credit(shop.caller, plan.id, { amount: 30, note: null })
  await shop.advance('2031-02-01T00:00:00Z')
  const [order] = await shop.orders(plan.id)
  await shop.voidOrder(order?.number ?? '')
  const now = await shop.get(plan.id)
  expect([now.state, now.credit]).toEqual(['active', 30])
  await shop.advance('2031-02-20T00:00:00Z')
  expect((await shop.orders(plan.id))[0]?.transactions).toHaveLength(1)
  expect(await shop.breaches()).toEqual([])
})

test('a pause stops orders and attempts, resume makes one overdue attempt, cancel ends everything after the grace', async () => {
  const shop = await Shop.open(fixture, START)
  const plan = await shop.plan(await shop.customer(CARDS.declining), {
    payment_retry_count: 9,
    grace_period: 3,
  })
  await shop.advance('2031-02-01T00:00:00Z')
  expect(shownPlan(await recurring.pause(shop.caller, plan.id)).state).toBe('paused')
  expect(await conflict(recurring.pause(shop.caller, plan.id))).toBe('plan_not_pausable')
  await shop.advance('2031-03-15T00:00:00Z')
  expect(await shop.orders(plan.id)).toHaveLength(1)
  const resumed = shownPlan(await recurring.resume(shop.caller, plan.id))
  expect([resumed.state, resumed.next_execute_time]).toEqual(['past_due', '2031-03-15T00:00:00.000Z'])
  await shop.advance('2031-03-16T00:00:00Z')
  expect((await shop.orders(plan.id))[0]?.transactions).toHaveLength(2)
  const canceled = shownPlan(await recurring.cancel(shop.caller, plan.id, false))
  expect([canceled.state, canceled.next_execute_time]).toEqual(['canceled', null])
  expect(await conflict(recurring.cancel(shop.caller, plan.id, false))).toBe('plan_ended')
  await shop.advance('2032-01-01T00:00:00Z')
  const [order] = await shop.orders(plan.id)
  expect([order?.state, order?.transactions.length]).toEqual(['voided', 2])
  expect((await shop.events(plan.id)).map(({ type }) => type)).toEqual([
    'plan.created', 'cycle.activated', 'cycle.past_due', 'plan.paused', 'plan.resumed', 'plan.canceled',
  ]) // prettier-ignore
  expect(await shop.breaches()).toEqual([])
})

test('a plan that is paused before a worker came is not billed for any day of its pauses, and goes on with its dates', async () => {
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
    dates.push(shownPlan(await recurring.resume(shop.caller, plan.id)).next_execute_time)
  }
  expect(dates).toEqual(['2031-01-04T02:00:00.000Z', '2031-01-07T02:00:00.000Z', '2031-01-10T02:00:00.000Z'])
  await shop.advance('2031-01-10T03:00:00Z')
  expect((await shop.orders(plan.id)).map(({ created_at: at }) => at)).toEqual(['2031-01-10T02:00:00.000Z'])
  expect(await shop.breaches()).toEqual([])
})

test('periods that were due before a cancellation are billed, however late the worker comes', async () => {
  const shop = await Shop.open(fixture, '2031-01-01T02:00:00Z')
  const weekly = await shop.cycle({ recurring_billing_config: 'FREQ=WEEKLY' })
  const plan = await shop.plan(await shop.customer(CARDS.good), { recurring_cycles: [weekly] })
  await shop.advance('2031-01-01T02:00:00Z')
  await shop.jump('2031-01-17T02:00:00Z')
  await recurring.cancel(shop.caller, plan.id, true)
  await shop.jump('2031-01-25T02:00:00Z')
  const run = { businessId: shop.caller.businessId, until: shop.now, timeOf: () => shop.now }
  await recurring.dueWork[0]?.run(run)
  expect((await shop.orders(plan.id)).map(({ state }) => state)).toEqual([
    'completed',
    'completed',
    'completed',
  ])
  expect((await shop.get(plan.id)).state).toBe('canceled')
  expect(await shop.breaches()).toEqual([])
})

test('the same reference number makes one plan, also for 20 callers at once; rules that mean the same share a config', async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer(CARDS.good)
  const cycle = await shop.cycle()
  const body = (rule: string) => ({
    name: 'Gold',
    reference_number: 'once',
    customer_uuid: customer,
    default_collection_method: 'charge_automatically' as const,
    payment_retry_count: 1,
    payment_retry_day_period: 1,
    recurring_cycles: [{ ...cycle, recurring_billing_config: rule }],
  })
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => recurring.create(shop.caller, body('FREQ=MONTHLY;INTERVAL=2'))),
  )
  expect(new Set(answers.map((answer) => shownPlan(answer).id)).size).toBe(1)
  expect(
    answers.filter((answer) => answer instanceof Answer && answer.message === 'plan has been created'),
  ).toHaveLength(19)
  const other = shownPlan(
    await recurring.create(shop.caller, { ...body('interval=2;freq=monthly'), reference_number: 'twice' }),
  )
  const configOf = (plan: ShownPlan | undefined) => plan?.recurring_cycles[0]?.recurring_billing_config.id
  const first = answers.map((answer) => shownPlan(answer))[0]
  expect(configOf(other)).toBe(configOf(first))
})

test('a preview shows the orders that billing then makes, and stores nothing', async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer(CARDS.good)
  const cycles = [
    await shop.cycle({ billing_count: 2, discount_amount: 12.5, discount_type: 'percentage' }),
    await shop.cycle({ recurring_billing_config: 'FREQ=MONTHLY;BYMONTHDAY=15' }),
  ]
  const body = {
    name: 'Gold',
    customer_uuid: customer,
    default_collection_method: 'charge_automatically' as const,
    payment_retry_count: 1,
    payment_retry_day_period: 1,
    recurring_cycles: cycles,
  }
  interface Preview {
    orders: { date: string; amount: number; line_items: { label: string; total: number }[] }[]
  }
  const preview = (shown(await recurring.preview(shop.caller, body, 5)) as Preview).orders
  const none = await fixture.admin.query('select 1 from recurring_plans where business_id = $1', [
    shop.caller.businessId,
  ])
  expect(none.rowCount).toBe(0)
  const plan = await shop.plan(customer, { recurring_cycles: cycles })
  await shop.advance('2031-06-20T00:00:00Z')
  const orders = await shop.orders(plan.id)
  expect(preview.map(({ date, amount }) => [date, amount])).toEqual(
    orders.slice(0, 5).map(({ created_at: at, initial_total: total }) => [at, total]),
  )
  expect(preview[0]?.line_items.map(({ label, total }) => [label, total])).toEqual([
    ['Gold', 100],
    ['Discount', -12.5],
  ])
})

test('references that are not there are 404 with their path, and what does not fit together is 422', async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer()
  const cycle = await shop.cycle()
  const refusal = async (changes: object): Promise<string> =>
    shop.plan(customer, changes).then(
      () => 'done',
      (error: unknown) =>
        error instanceof RequestError ? `${error.status} ${error.reason} ${error.detail.param}` : 'failed',
    )
  const other = await Shop.open(fixture, START)
  expect(await refusal({ customer_uuid: await other.customer() })).toBe(
    '404 customer_not_found plan.customer_uuid',
  )
  const foreign = [{ quantity: 1, recurring_item_id: await other.item(5) }]
  expect(await refusal({ recurring_cycles: [await shop.cycle({ recurring_items: foreign })] })).toBe(
    '404 recurring_item_not_found plan.recurring_cycles[0].recurring_items[0].recurring_item_id',
  )
  expect(await refusal({ recurring_cycles: [{ ...cycle, recurring_billing_config: 'rbc_none' }] })).toBe(
    '404 billing_config_not_found plan.recurring_cycles[0].recurring_billing_config',
  )
  expect(await refusal({ recurring_cycles: [{ ...cycle, recurring_billing_config: 'FREQ=HOURLY' }] })).toBe(
    '422 recurrence_rule_unsupported plan.recurring_cycles[0].recurring_billing_config',
  )
  expect(await refusal({ recurring_cycles: [{ ...cycle, recurring_billing_config: 'monthly' }] })).toBe(
    '422 recurrence_rule_unsupported plan.recurring_cycles[0].recurring_billing_config',
  )
  expect(await refusal({ recurring_cycles: [cycle, cycle] })).toBe(
    '422 billing_count_missing plan.recurring_cycles[0].billing_count',
  )
  const yen = [{ quantity: 1, recurring_item_id: await shop.item(5, 'JPY') }]
  expect(
    await refusal({ recurring_cycles: [{ ...cycle, recurring_items: [...cycle.recurring_items, ...yen] }] }),
  ).toBe('422 plan_currency_mixed plan.recurring_cycles[0].recurring_items[1].recurring_item_id')
  expect(await refusal({ start_date: '2031-01-30T00:00:00Z' })).toBe('422 start_date_invalid plan.start_date')
  expect(await refusal({ start_date: '2031-01-30' })).toBe('422 start_date_invalid plan.start_date')
  expect(await refusal({ start_date: '2031-01-31' })).toBe('done')
})

test('lists of plans with a filter take two connections of a tenant, and keep no statement', async () => {
  const shop = await Shop.open(fixture, START)
  const { db, admin } = fixture
  const page = { list: 'recurring_plans', offset: 0, limit: 20, after: undefined }
  await admin.query('begin')
  await admin.query('lock table recurring_plans in access exclusive mode')
  const lists = Array.from({ length: 5 }, () => recurring.page(shop.caller, 'name : "nowhere"', page))
  await untilWaiting(admin, 2)
  await admin.query('commit')
  expect(await Promise.all(lists)).toMatchObject(Array.from({ length: 5 }, () => ({ plans: [] })))
  const kept = sql`select statement from pg_prepared_statements where statement like ${'% ilike %'}`
  const together = Array.from({ length: 2 }, () =>
    db.transact(shop.caller.businessId, (tx) => tx.query(kept)),
  )
  expect(await Promise.all(together)).toEqual([[], []])
})

test('a plan can be edited, found by filter, and its order fetched with customer and cycle', async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer(CARDS.good)
  const plan = await shop.plan(customer, { reference_number: 'gold', note: 'for you' })
  await recurring.edit(shop.caller, plan.id, { name: 'Silver', payment_retry_count: 7 })
  await shop.advance('2031-02-01T00:00:00Z')
  const page = { list: 'recurring_plans', offset: 0, limit: 20, after: undefined }
  const found = async (filter: string) =>
    (shown(await recurring.page(shop.caller, filter, page)) as { plans: ShownPlan[] }).plans.map(
      ({ id }) => id,
    )
  expect(await found(`name = "Silver" AND state = active AND customer.uuid = "${customer}"`)).toEqual([
    plan.id,
  ])
  expect(await found('next_execute_time < "2031-02-28"')).toEqual([])
  expect(await found('next_execute_time = "2031-02-28"')).toEqual([plan.id])
  expect(await conflict(recurring.page(shop.caller, 'color = red', page))).toBe('invalid_filter')
  const [order] = await shop.orders(plan.id)
  const answer = await recurring.order(shop.caller, {
    customer_uuid: customer,
    order: { number: order?.number ?? '' },
  })
  expect(shown(answer)).toMatchObject({
    customer: { uuid: customer, default_payment_token: { verify_url: null } },
    recurring_cycle: { discount_amount: 0, recurring_billing_config: { billing_interval: 'month' } },
    order: { amount: 100, paid_total: 100, reference_number: 'gold-1', note: 'for you' },
  })
  const stranger = await shop.customer()
  expect(
    await conflict(
      recurring.order(shop.caller, { customer_uuid: stranger, order: { number: order?.number ?? '' } }),
    ),
  ).toBe('recurring_order_not_found')
})

test('an answer shows a plan and its order as they are at one moment, however they change while it is read', async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer(CARDS.declining)
  const plan = await shop.plan(customer)
  await shop.advance(START)
  const number = (await shop.orders(plan.id))[0]?.number ?? ''
  const token = await shop.bind(customer, CARDS.good)
  const { payments } = fixture
  const findOrders = payments.findOrders.bind(payments)
  payments.findOrders = async (tx, ids) => {
    payments.findOrders = findOrders
    await shop.pay(number, token)
    return findOrders(tx, ids)
  }
  const [before, after] = [await shop.get(plan.id), await shop.get(plan.id)]
  expect([before.state, before.current_order?.state]).toEqual(['past_due', 'open'])
  expect([after.state, after.current_order?.state]).toEqual(['active', 'completed'])
})

test('what a merchant changes while an attempt is at the acquirer stays when its outcome is recorded', async () => {
  const shop = await Shop.open(fixture, START)
  const plan = await shop.plan(await shop.customer(CARDS.declining))
  const { payments } = fixture
  const perform = payments.performCharge.bind(payments)
  payments.performCharge = async (charge) => {
    const outcome = await perform(charge)
    if (charge.businessId !== shop.caller.businessId) return outcome
    await recurring.edit(shop.caller, plan.id, { name: 'Platinum', payment_retry_count: 2 })
    await recurring.credit(shop.caller, plan.id, { amount: 7, note: null })
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

test('an order that is open again while the attempt of another is at the acquirer is given up with it', async () => {
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

test('a payment of unknown outcome under way at the order blocks the scheduled attempt until it is resolved', async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer(CARDS.declining)
  const plan = await shop.plan(customer, { payment_retry_day_period: 1 })
  await shop.advance('2031-02-01T01:59:59.500Z')
  const [order] = await shop.orders(plan.id)
  const silent = await shop.bind(customer, CARDS.silentUnbooked)
  await shop.bind(customer, CARDS.good)
  expect(await conflict(shop.pay(order?.number ?? '', silent))).toBe('outcome_unknown')
  await shop.advance('2031-02-01T02:00:00.400Z')
  const blocked = await shop.orders(plan.id)
  expect(blocked[0]?.transactions.map(({ success }) => success)).toEqual([false, false])
  await shop.advance('2031-02-01T02:00:01Z')
  const [paid] = await shop.orders(plan.id)
  expect(paid?.transactions.map(({ success }) => success)).toEqual([false, false, true])
  expect((await shop.get(plan.id)).state).toBe('active')
})

test('an unknown outcome also blocks an attempt that is not sent, after a hard decline', async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer()
  const silent = await shop.bind(customer, CARDS.silentUnbooked)
  await shop.bind(customer, CARDS.stolen)
  const plan = await shop.plan(customer)
  await shop.advance('2031-02-02T01:59:59.500Z')
  const [order] = await shop.orders(plan.id)
  expect(await conflict(shop.pay(order?.number ?? '', silent))).toBe('outcome_unknown')
  const statesOf = async () =>
    (await shop.orders(plan.id))[0]?.transactions.map(({ payment_data: data }) => data.transaction_state)
  await shop.advance('2031-02-02T02:00:00.400Z')
  expect(await statesOf()).toEqual(['failed', 'unknown'])
  await shop.advance('2031-02-02T02:00:01Z')
  expect(await statesOf()).toEqual(['failed', 'failed', 'failed'])
  expect(await shop.breaches()).toEqual([])
})

test('an attempt that has no token waits for the void of its order, and holds up no other plan', async () => {
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
  expect(await conflict(shop.voidOrder(number))).toBe('outcome_unknown')
  await fixture.setFaults({})
  await shop.advance('2031-02-02T02:00:00.400Z')
  expect((await shop.orders(voided.id))[0]?.transactions).toHaveLength(2)
  expect((await shop.orders(other.id))[0]?.state).toBe('completed')
  await shop.advance('2031-02-10T00:00:00Z')
  expect((await shop.orders(voided.id))[0]?.state).toBe('voided')
  expect((await shop.get(voided.id)).state).toBe('active')
  expect(await shop.breaches()).toEqual([])
})

test("an order whose merchant's void is given up at the end of its grace is voided by the plan", async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer(CARDS.declining)
  const plan = await shop.plan(customer, { payment_retry_count: 1, grace_period: 1 })
  await shop.advance('2031-01-31T03:00:00Z')
  const number = (await shop.orders(plan.id))[0]?.number ?? ''
  const part = { type: 'Sales', payment_token: await shop.bind(customer, CARDS.good), amount: 40 } as const
  await fixture.payments.payOrder(shop.caller, { order: { number }, transaction: part })
  await fixture.setFaults({ fail_before: 1 })
  expect(await conflict(shop.voidOrder(number))).toBe('outcome_unknown')
  await fixture.setFaults({})
  // The resolver finds that nothing was voided; by the end of grace the payment is settled, which ends a merchant's void.
  const run = {
    businessId: shop.caller.businessId,
    until: Temporal.Instant.from('2031-02-01T02:00:00Z'),
    timeOf: (dueAt: Temporal.Instant) => dueAt,
  }
  await fixture.payments.dueWork.find(({ name }) => name === 'payment_operations')?.run(run)
  await recurring.dueWork[0]?.run(run)
  const [order] = await shop.orders(plan.id)
  expect([order?.state, order?.paid_total]).toEqual(['voided', '0.00'])
  expect((await shop.get(plan.id)).state).toBe('uncollectible')
  expect(await shop.breaches()).toEqual([])
})

test('an order is not voided whose grace ends with a payment in the moment before', async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer(CARDS.declining)
  const plan = await shop.plan(customer, { payment_retry_day_period: 40, grace_period: 3 })
  await shop.advance('2031-02-01T00:00:00Z')
  await recurring.edit(shop.caller, plan.id, { payment_retry_count: 1 })
  await shop.advance('2031-03-01T00:00:00Z')
  // The second order was given up; the first is in grace only beside it.
  const givenUp = (await shop.orders(plan.id))[1]?.number ?? ''
  const token = await shop.bind(customer, CARDS.good)
  const { payments } = fixture
  const voidNow = payments.voidOrdersNow.bind(payments)
  payments.voidOrdersNow = async (...voiding) => {
    payments.voidOrdersNow = voidNow
    await shop.pay(givenUp, token)
    return voidNow(...voiding)
  }
  await shop.advance('2031-03-10T00:00:00Z')
  expect((await shop.orders(plan.id)).map(({ state }) => state)).toEqual(['open', 'completed'])
  await shop.advance('2031-03-13T00:00:00Z')
  expect((await shop.orders(plan.id)).map(({ state }) => state)).toEqual(['completed', 'completed'])
  expect(await shop.breaches()).toEqual([])
})

test('a void of a paid order by the merchant returns its credit, and one of its payment opens the order again', async () => {
  const shop = await Shop.open(fixture, START)
  const plan = await shop.plan(await shop.customer(CARDS.good))
  await recurring.credit(shop.caller, plan.id, { amount: 30, note: null })
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
  'a void of a paid order is told to its plan when it has ended, and the order is %s',
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
      // What the acquirer gave back without us makes it refuse the void, so that only the capture is voided.
      const amount = Money.ofDecimal('HKD', '1.00')
      await fixture.acquirer.refund({ key: 'not-ours', at: shop.now, amount, originalKey: sale })
    }
    expect(await conflict(shop.voidOrder(number))).toBe(state === 'open' ? 'acquirer_refused' : 'done')
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

test('two runs at the same time bill every plan once', async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer(CARDS.good)
  const plans = await Promise.all(Array.from({ length: 20 }, () => shop.plan(customer)))
  const [work] = recurring.dueWork
  const until = Temporal.Instant.from(START)
  const run = async () => work?.run({ businessId: shop.caller.businessId, until, timeOf: (dueAt) => dueAt })
  await Promise.all([run(), run(), run(), run()])
  await run()
  for (const plan of plans) {
    const orders = await shop.orders(plan.id)
    expect(orders.map(({ state, transactions }) => [state, transactions.length])).toEqual([['completed', 1]])
  }
  expect(await shop.breaches()).toEqual([])
})
