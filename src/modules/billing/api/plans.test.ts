import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { SuccessWithMessage } from '#platform/envelope'
import { adminOf, untilWaiting } from '#platform/testing/database'
import { reasonOf, refusalOf } from '#platform/testing/requests'
import { CARDS, createFixture, Shop, asJson, planOf, type PlanJson } from '../testing/fixture.ts'

const fixture = await createFixture()
const { recurring } = fixture
const START = '2031-01-31T02:00:00Z'

// Proves reference/recurring#references, reference/recurring#recurrence-rules.
test('20 concurrent creations with one reference number create one plan, and rules of one meaning share a config', async () => {
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
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => recurring.create(shop.caller, body('FREQ=MONTHLY;INTERVAL=2'))),
  )
  expect(new Set(responses.map((response) => planOf(response).id)).size).toBe(1)
  expect(
    responses.filter(
      (response) => response instanceof SuccessWithMessage && response.message === 'plan has been created',
    ),
  ).toHaveLength(19)
  const other = planOf(
    await recurring.create(shop.caller, { ...body('interval=2;freq=monthly'), reference_number: 'twice' }),
  )
  const configOf = (plan: PlanJson | undefined) => plan?.recurring_cycles[0]?.recurring_billing_config.id
  const first = responses.map((response) => planOf(response))[0]
  expect(configOf(other)).toBe(configOf(first))
})

// Proves reference/recurring#plans, reference/recurring#recurrence-rules.
test('an unknown customer, item or config is 404 with its path, and members that contradict each other are 422', async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer()
  const cycle = await shop.cycle()
  const refusal = (changes: object) => refusalOf(shop.plan(customer, changes))
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

// Proves reference/recurring#preview.
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
  const preview = asJson(await recurring.preview(shop.caller, body, 5)).orders
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

// Proves reference/search#what-is-found.
test('the search finds a plan by its id, its reference and its name', async () => {
  const shop = await Shop.open(fixture, START)
  const plan = await shop.plan(await shop.customer(), { name: 'Gold membership', reference_number: 'm-77' })
  const find = async (text: string) => {
    const search = { text, amountKey: undefined, lastFour: undefined, limit: 5 }
    const hits = await fixture.db.transact(shop.caller.businessId, (tx) => recurring.search(tx, search))
    return hits.map(({ id, match }) => `${id} ${match}`)
  }
  for (const text of [plan.id, 'm-77', 'gold membership'])
    expect(await find(text)).toEqual([`${plan.id} exact`])
  for (const text of ['m-7', 'Gold mem', 'gold', 'membership'])
    expect(await find(text)).toEqual([`${plan.id} prefix`])
  expect(await find('members-only')).toEqual([])
})

// Proves reference/recurring#credit.
test('credit of more than 15 digits before the point is refused, and the earlier credit stays', async () => {
  const shop = await Shop.open(fixture, START)
  const { id } = await shop.plan(await shop.customer(), { start_date: '2031-03-01' })
  const grant = async (amount: number): Promise<string> =>
    reasonOf(recurring.credit(shop.caller, id, { amount }))
  expect(await grant(999_999_999_999_989)).toBe('done')
  expect(await grant(11)).toBe('credit_invalid')
  expect(await grant(10)).toBe('done')
  expect((await shop.get(id)).credit).toBe(999_999_999_999_999)
  expect(await shop.breaches()).toEqual([])
})

// Proves reference/recurring#plans, reference/recurring#editing, reference/recurring#recurring-order.
test('a plan can be edited and found by a filter, and its order can be read with customer and cycle', async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer(CARDS.good)
  const plan = await shop.plan(customer, { reference_number: 'gold', note: 'for you' })
  await recurring.edit(shop.caller, plan.id, { name: 'Silver', payment_retry_count: 7 })
  await shop.advance('2031-02-01T00:00:00Z')
  const page = { list: 'recurring_plans', offset: 0, limit: 20, after: undefined }
  const found = async (filter: string) =>
    (await recurring.page(shop.caller, filter, page)).plans.map(({ id }) => id)
  expect(await found(`name = "Silver" AND state = active AND customer.uuid = "${customer}"`)).toEqual([
    plan.id,
  ])
  expect(await found('next_execute_time < "2031-02-28"')).toEqual([])
  expect(await found('next_execute_time = "2031-02-28"')).toEqual([plan.id])
  expect(await reasonOf(recurring.page(shop.caller, 'color = red', page))).toBe('invalid_filter')
  const [order] = await shop.orders(plan.id)
  const response = await recurring.order(shop.caller, {
    customer_uuid: customer,
    order: { number: order?.number ?? '' },
  })
  expect(asJson(response)).toMatchObject({
    customer: { uuid: customer, default_payment_token: { verify_url: null } },
    recurring_cycle: { discount_amount: 0, recurring_billing_config: { billing_interval: 'month' } },
    order: { amount: 100, paid_total: 100, reference_number: 'gold-1', note: 'for you' },
  })
  const stranger = await shop.customer()
  expect(
    await reasonOf(
      recurring.order(shop.caller, { customer_uuid: stranger, order: { number: order?.number ?? '' } }),
    ),
  ).toBe('recurring_order_not_found')
})

test('filtered lists of plans use at most two connections of a tenant and leave no prepared statement', async () => {
  const shop = await Shop.open(fixture, START)
  const { db } = fixture
  const node = await adminOf(fixture, shop.caller.businessId)
  const page = { list: 'recurring_plans', offset: 0, limit: 20, after: undefined }
  await node.query('begin')
  await node.query('lock table recurring_plans in access exclusive mode')
  const lists = Array.from({ length: 5 }, () => recurring.page(shop.caller, 'name : "nowhere"', page))
  await untilWaiting(node, 2)
  await node.query('commit')
  expect(await Promise.all(lists)).toMatchObject(Array.from({ length: 5 }, () => ({ plans: [] })))
  const kept = sql`select statement from pg_prepared_statements where statement like ${'% ilike %'}`
  const together = Array.from({ length: 2 }, () =>
    db.transact(shop.caller.businessId, (tx) => tx.query(kept)),
  )
  expect(await Promise.all(together)).toEqual([[], []])
})

test('a response shows a plan and its order of one moment, even if they change during the read', async () => {
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

// Proves reference/recurring#timeouts.
test('after the timeout of a plan its order stays open, and the plan still shows the first link', async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer(CARDS.declining)
  const timeout = { timer: 'PT1H', url: 'https://shop.test/late' }
  const { id } = await shop.plan(customer, { timeout })
  await shop.advance('2031-01-31T02:00:01Z')
  const before = await shop.get(id)
  expect(before).toMatchObject({ timeout: { timer: 3_600, url: timeout.url } })
  expect(before.current_order).toMatchObject({ state: 'open', timeout: { timer: '3600', url: timeout.url } })
  await shop.advance('2031-01-31T05:00:00Z')
  const after = await shop.get(id)
  expect(after.current_order?.state).toBe('open')
  expect(after.current_payment_link).toBe(before.current_payment_link)
})

// Proves reference/recurring#pause, reference/recurring#cancel.
test('a pause stops orders and attempts, a resumption makes one overdue attempt, and a cancellation ends all after the grace', async () => {
  const shop = await Shop.open(fixture, START)
  const plan = await shop.plan(await shop.customer(CARDS.declining), {
    payment_retry_count: 9,
    grace_period: 3,
  })
  await shop.advance('2031-02-01T00:00:00Z')
  expect(planOf(await recurring.pause(shop.caller, plan.id)).state).toBe('paused')
  expect(await reasonOf(recurring.pause(shop.caller, plan.id))).toBe('plan_not_pausable')
  await shop.advance('2031-03-15T00:00:00Z')
  expect(await shop.orders(plan.id)).toHaveLength(1)
  const resumed = planOf(await recurring.resume(shop.caller, plan.id))
  expect([resumed.state, resumed.next_execute_time]).toEqual(['past_due', '2031-03-15T00:00:00.000Z'])
  await shop.advance('2031-03-16T00:00:00Z')
  expect((await shop.orders(plan.id))[0]?.transactions).toHaveLength(2)
  const canceled = planOf(await recurring.cancel(shop.caller, plan.id, false))
  expect([canceled.state, canceled.next_execute_time]).toEqual(['canceled', null])
  expect(await reasonOf(recurring.cancel(shop.caller, plan.id, true))).toBe('plan_ended')
  await shop.advance('2032-01-01T00:00:00Z')
  const [order] = await shop.orders(plan.id)
  expect([order?.state, order?.transactions.length]).toEqual(['voided', 2])
  expect((await shop.events(plan.id)).map(({ type }) => type)).toEqual([
    'plan.created', 'cycle.activated', 'cycle.past_due', 'plan.paused', 'plan.resumed', 'plan.canceled',
  ]) // prettier-ignore
  expect(await shop.breaches()).toEqual([])
})
