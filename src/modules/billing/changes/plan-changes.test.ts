import { expect, test } from 'vitest'
import { refusalOf } from '#platform/testing/requests'
import { asJson, CARDS, createFixture, Shop } from '../testing/fixture.ts'
import type { NewBillingConfig } from '#modules/catalogue'
import type { NewCycle } from '#modules/plans'
import type { PlanChangeRequest } from './change-request.ts'

// Proves reference/billing-changes#request, reference/billing-changes#proration, reference/billing-changes#unpaid,
// reference/billing-changes#scheduled, reference/billing-changes#interval, reference/billing-changes#events, reference/orders#billing.
const fixture = await createFixture()
const { recurring } = fixture

interface Options {
  readonly card?: string
  readonly cycle?: Partial<NewCycle>
  readonly config?: NewBillingConfig
}

async function planOn(start: string, price: number, options: Options = {}) {
  const shop = await Shop.open(fixture, start)
  const item = async (amount: number) => shop.item(amount, 'EUR')
  const first = await item(price)
  const customer = await shop.customer(options.card ?? CARDS.good)
  const recurring_items = [{ quantity: 1, recurring_item_id: first }]
  const config =
    options.config &&
    (await recurring.createBillingConfig(shop.caller, options.config)).recurring_billing_config
  const rhythm = config && { recurring_billing_config: config.id }
  const plan = await shop.plan(customer, {
    payment_retry_count: 10,
    recurring_cycles: [await shop.cycle({ recurring_items, ...rhythm, ...options.cycle })],
  })
  await shop.advance(start)
  const change = async (request: PlanChangeRequest) =>
    asJson(await recurring.change(shop.caller, plan.id, request))
  const to = async (amount: number, request: PlanChangeRequest = {}) =>
    change({ recurring_items: [{ quantity: 1, recurring_item_id: await item(amount) }], ...request })
  const preview = async (request: PlanChangeRequest) =>
    asJson(await recurring.previewChange(shop.caller, plan.id, request))
  return { shop, planId: plan.id, customer, item, first, change, to, preview }
}

function amounts(lines: readonly { kind?: string; price: unknown }[]): string[] {
  return lines.map(({ kind, price }) => `${kind} ${Number(price).toFixed(2)}`)
}

test('polar 5826: a change bills the rest of the period: 39.90 to 99.90, then to 19.90 whose rest becomes credit', async () => {
  const { shop, planId, to } = await planOn('2027-01-31T02:00:00Z', 39.9)
  await shop.advance('2027-03-15T02:00:00Z')
  const up = await to(99.9)
  expect(up.change).toMatchObject({ state: 'applied', remaining: 16, whole: 31, total: 30.97, credited: [] })
  expect(amounts(up.change.line_items)).toEqual(['proration_credit -20.59', 'proration_charge 51.56'])
  expect(up.order).toMatchObject({ state: 'open', initial_total: 30.97, billing: { kind: 'change' } })
  await shop.advance('2027-03-25T02:00:00Z')
  const down = await to(19.9)
  expect(amounts(down.change.line_items)).toEqual([
    'proration_credit -19.34',
    'proration_charge 3.85',
    'to_credit 15.49',
  ])
  expect(down.change).toMatchObject({ total: 0, credit_added: 15.49 })
  expect(down.order?.state).toBe('completed')
  await shop.advance('2027-03-31T03:00:00Z')
  const orders = await shop.orders(planId)
  expect(orders.map(({ initial_total, state }) => [initial_total, state])).toEqual([
    [39.9, 'completed'],
    [39.9, 'completed'],
    [30.97, 'completed'],
    [0, 'completed'],
    [4.41, 'completed'],
  ])
  expect(await shop.get(planId)).toMatchObject({ credit: 0, state: 'active' })
  expect((await shop.get(planId)).recurring_cycles[0]).toMatchObject({ billing_count_created: 3 })
  expect(await shop.breaches()).toEqual([])
})

test('a credit first lowers what is unpaid of the order that billed the item', async () => {
  const { shop, planId, customer, to } = await planOn('2027-01-31T02:00:00Z', 39.9)
  await shop.bind(customer, CARDS.declining)
  await shop.advance('2027-03-15T02:00:00Z')
  const before = (await shop.orders(planId)).at(-1)
  expect(before).toMatchObject({ state: 'open', amount_due: '39.90' })
  const up = await to(99.9)
  expect(up.change).toMatchObject({
    total: 51.56,
    credited: [{ order_number: before?.number, amount: 20.59 }],
  })
  const lowered = (await shop.orders(planId)).find(({ number }) => number === before?.number)
  expect(lowered).toMatchObject({
    amount_due: '19.31',
    unpaid_total: '39.90',
    billing: { credited_total: 20.59 },
  })
  await shop.bind(customer, CARDS.good)
  await shop.advance('2027-03-20T02:00:00Z')
  const paid = (await shop.orders(planId)).find(({ number }) => number === before?.number)
  expect(paid).toMatchObject({ state: 'completed', paid_total: '19.31', correspondence_state: 'paid' })
  expect(await shop.breaches()).toEqual([])
})

test('an unpaid order of which nothing is left is voided, and the plan is active again', async () => {
  const { shop, planId, customer, to } = await planOn('2027-01-31T02:00:00Z', 30)
  await shop.bind(customer, CARDS.declining)
  await shop.advance('2027-02-28T03:00:00Z')
  expect((await shop.get(planId)).state).toBe('past_due')
  const up = await to(0)
  expect(up.order).toBeUndefined()
  const orders = await shop.orders(planId)
  expect(orders.map(({ state }) => state)).toEqual(['completed', 'voided'])
  expect((await shop.get(planId)).state).toBe('active')
  expect(await shop.breaches()).toEqual([])
})

test('lago-api 6194: a stub is priced by the whole period around it, and credited over the days that it covers', async () => {
  const { shop, planId, to } = await planOn('2027-05-20T02:00:00Z', 90, {
    config: {
      billing_interval: 'month',
      interval_count: 3,
      billing_type: 'calendar',
      billing_day_of_month: 1,
      billing_proration_enabled: true,
    },
  })
  expect((await shop.orders(planId))[0]?.initial_total).toBe(11.74)
  await shop.advance('2027-05-26T02:00:00Z')
  const { change } = await to(180)
  expect(change).toMatchObject({ remaining: 6, whole: 92, total: 5.87 })
  expect(amounts(change.line_items)).toEqual(['proration_credit -5.87', 'proration_charge 11.74'])
})

test('a change gives and takes net of the discount: 30 with 10 off to 60, half way', async () => {
  const { shop, to, planId } = await planOn('2027-04-01T02:00:00Z', 30, { cycle: { discount_amount: 10 } })
  expect((await shop.orders(planId))[0]?.initial_total).toBe(20)
  await shop.advance('2027-04-16T02:00:00Z')
  const { change } = await to(60)
  expect(amounts(change.line_items)).toEqual(['proration_credit -10.00', 'proration_charge 25.00'])
})

test('a fixed discount makes items that stay part of the change; a percentage leaves them alone', async () => {
  for (const [discount, kinds] of [
    [
      { discount_amount: 10 },
      ['proration_credit', 'proration_credit', 'proration_charge', 'proration_charge'],
    ],
    [{ discount_amount: 10, discount_type: 'percentage' as const }, ['proration_credit', 'proration_charge']],
  ] as const) {
    const { shop, item, first, planId, change } = await planOn('2027-04-01T02:00:00Z', 30, {
      cycle: discount,
    })
    const [second, third] = [await item(20), await item(40)]
    const list = (id: string) => [
      { quantity: 1, recurring_item_id: first },
      { quantity: 1, recurring_item_id: id },
    ]
    await change({ recurring_items: list(second), proration: 'none' })
    await shop.advance('2027-05-16T02:00:00Z')
    const changed = await change({ recurring_items: list(third) })
    expect(changed.change.line_items.map(({ kind }) => kind)).toEqual(kinds)
    expect((await shop.get(planId)).state).toBe('active')
  }
})

test('a change is not priced from before an earlier one, also if that one billed nothing', async () => {
  const { shop, first, change, preview } = await planOn('2027-04-01T02:00:00Z', 30)
  const list = (quantity: number) => [{ quantity, recurring_item_id: first }]
  const priced = (proration_date: string) => preview({ recurring_items: list(3), proration_date })
  await shop.advance('2027-04-16T02:00:00Z')
  await change({ recurring_items: list(2), proration: 'none' })
  await shop.advance('2027-04-20T02:00:00Z')
  expect(await refusalOf(priced('2027-04-16T01:00:00Z'))).toBe(
    '422 proration_date_invalid change.proration_date',
  )
  expect((await priced('2027-04-17T02:00:00Z')).change.total).toBe(42)
})

test('with next_order the lines wait, and stand before Discount on the order of the next period', async () => {
  const { shop, planId, to } = await planOn('2027-04-01T02:00:00Z', 30)
  await shop.advance('2027-04-16T02:00:00Z')
  const { change, order, plan } = await to(60, { proration: 'next_order' })
  expect(order).toBeUndefined()
  expect(change.total).toBe(15)
  expect(amounts(plan.pending_lines ?? [])).toEqual(['proration_credit -15.00', 'proration_charge 30.00'])
  await shop.advance('2027-05-01T02:00:00Z')
  const last = (await shop.orders(planId)).at(-1)
  expect(last?.line_items?.map(({ kind, price }) => [kind, price])).toEqual([
    ['item', 60],
    ['proration_credit', -15],
    ['proration_charge', 30],
  ])
  expect(await shop.get(planId)).not.toHaveProperty('pending_lines')
  expect(await shop.breaches()).toEqual([])
})

test('an immediate cancel bills the lines that wait, and attempts their order', async () => {
  const { shop, planId, to } = await planOn('2027-04-01T02:00:00Z', 30)
  await shop.advance('2027-04-16T02:00:00Z')
  await to(60, { proration: 'next_order' })
  await recurring.cancel(shop.caller, planId, false)
  await shop.advance('2027-04-16T02:00:01Z')
  const last = (await shop.orders(planId)).at(-1)
  expect(last).toMatchObject({ initial_total: 15, state: 'completed', billing: { kind: 'change' } })
  expect(await shop.breaches()).toEqual([])
})

test('lines that wait have an order of their own when the last period ends', async () => {
  const { shop, planId, to } = await planOn('2027-04-01T02:00:00Z', 30, { cycle: { billing_count: 1 } })
  await shop.advance('2027-04-16T02:00:00Z')
  await to(60, { proration: 'next_order' })
  await shop.advance('2027-05-01T02:00:01Z')
  const last = (await shop.orders(planId)).at(-1)
  expect(last).toMatchObject({ initial_total: 15, state: 'completed' })
  expect((await shop.get(planId)).state).toBe('completed')
  expect(await shop.breaches()).toEqual([])
})

test('a change at the end of the period is shown, replaced, removed, and takes effect with the new period', async () => {
  const { shop, planId, item, to, change } = await planOn('2027-01-31T02:00:00Z', 30)
  await to(40, { at: 'period_end' })
  const { plan, change: scheduled } = await to(50, { at: 'period_end' })
  expect(scheduled).toMatchObject({ state: 'scheduled', effective_at: '2027-02-28T02:00:00.000Z', total: 0 })
  expect(plan.pending_change).toMatchObject({ effective_at: '2027-02-28T02:00:00.000Z' })
  expect(await refusalOf(to(60))).toBe('409 change_pending')
  await recurring.removeChange(shop.caller, planId)
  expect(await refusalOf(recurring.removeChange(shop.caller, planId))).toBe('409 nothing_scheduled')
  const next = await item(70)
  await change({ recurring_items: [{ recurring_item_id: next, quantity: 2 }], at: 'period_end' })
  await shop.advance('2027-02-28T02:00:00Z')
  expect((await shop.orders(planId)).map(({ initial_total }) => initial_total)).toEqual([30, 140])
  const events = (await shop.events(planId)).map(({ type }) => type)
  expect(events.filter((type) => type.startsWith('plan.chang'))).toEqual([
    'plan.change_scheduled',
    'plan.change_scheduled',
    'plan.change_removed',
    'plan.change_scheduled',
    'plan.changed',
  ])
  expect(await shop.get(planId)).not.toHaveProperty('pending_change')
  expect(await shop.breaches()).toEqual([])
})

test('another interval ends the cycle, anchors at the change and bills its first period on the same order', async () => {
  const { shop, planId, change, first } = await planOn('2027-01-31T02:00:00Z', 30)
  await shop.advance('2027-03-15T04:00:00Z')
  const yearly = { quantity: 12, recurring_item_id: first }
  const request = { recurring_items: [yearly], recurring_billing_config: 'FREQ=YEARLY' }
  const changed = await change(request)
  expect(amounts(changed.change.line_items)).toEqual(['item 30.00', 'proration_credit -15.48'])
  expect(changed.order).toMatchObject({ initial_total: 344.52 })
  await shop.advance('2028-03-15T02:00:00Z')
  const plan = await shop.get(planId)
  expect(plan.recurring_cycles).toMatchObject([
    { state: 'completed', end_date: '2027-03-15T04:00:00.000Z', billing_count_created: 2 },
    { state: 'active', start_date: '2027-03-15T04:00:00.000Z', billing_count_created: 2 },
  ])
  expect((await shop.orders(planId)).map(({ initial_total }) => initial_total)).toEqual([30, 30, 344.52, 360])
  expect(await shop.breaches()).toEqual([])
})

test('another interval at the end of the period follows the cycle, before those that were to come', async () => {
  const { shop, planId, first, change } = await planOn('2027-01-31T02:00:00Z', 30, {
    cycle: { billing_count: 5 },
  })
  const { plan } = await change({
    recurring_billing_config: 'FREQ=WEEKLY',
    billing_count: 2,
    at: 'period_end',
  })
  expect(plan.pending_change).toMatchObject({
    billing_count: 2,
    recurring_items: [{ recurring_item_id: first }],
  })
  await shop.advance('2027-03-14T02:00:00Z')
  expect((await shop.get(planId)).recurring_cycles).toMatchObject([
    { state: 'completed', billing_count_created: 1 },
    { state: 'completed', billing_count_created: 2, start_date: '2027-02-28T02:00:00.000Z' },
  ])
  expect(await shop.breaches()).toEqual([])
})

test('before the first order a change replaces without lines', async () => {
  const shop = await Shop.open(fixture, '2027-01-31T02:00:00Z')
  const customer = await shop.customer(CARDS.good)
  const plan = await shop.plan(customer, { start_date: '2027-03-01' })
  const item = await shop.item(70)
  const changed = asJson(
    await recurring.change(shop.caller, plan.id, {
      recurring_items: [{ recurring_item_id: item, quantity: 1 }],
      recurring_billing_config: 'FREQ=YEARLY',
    }),
  )
  expect(changed).toMatchObject({ change: { state: 'applied', line_items: [], total: 0, remaining: null } })
  expect(changed.plan.recurring_cycles).toMatchObject([
    { state: 'upcoming', billing_amount: 70, recurring_billing_config: { billing_interval: 'year' } },
  ])
  await shop.advance('2027-03-01T02:00:00Z')
  expect((await shop.orders(plan.id)).map(({ initial_total }) => initial_total)).toEqual([70])
  expect(await shop.breaches()).toEqual([])
})

test('an upcoming cycle is replaced by its id', async () => {
  const shop = await Shop.open(fixture, '2027-01-31T02:00:00Z')
  const customer = await shop.customer(CARDS.good)
  const [one, two] = [await shop.cycle({ billing_count: 1 }), await shop.cycle({ price: 200 })]
  const plan = await shop.plan(customer, { recurring_cycles: [one, two] })
  await shop.advance('2027-01-31T02:00:00Z')
  const item = await shop.item(300)
  const [current, upcoming] = plan.recurring_cycles
  const recurring_items = [{ recurring_item_id: item, quantity: 1 }]
  const change = (cycle_id = '', more = {}) =>
    recurring.change(shop.caller, plan.id, { recurring_items, cycle_id, ...more })
  expect(await refusalOf(change(current?.id))).toBe('409 plan_not_changeable change.cycle_id')
  expect(await refusalOf(change('rcy_other'))).toBe('404 recurring_cycle_not_found change.cycle_id')
  expect(await refusalOf(change(upcoming?.id, { at: 'now' }))).toBe('422 change_inconsistent change.at')
  await recurring.pause(shop.caller, plan.id)
  expect(await refusalOf(change(upcoming?.id))).toBe('409 plan_not_changeable')
  await recurring.resume(shop.caller, plan.id)
  await change(upcoming?.id)
  expect(await refusalOf(change(upcoming?.id))).toBe('422 nothing_changes')
  await shop.advance('2027-02-28T02:00:00Z')
  expect((await shop.orders(plan.id)).map(({ initial_total }) => initial_total)).toEqual([100, 300])
})

test('a wrong cycle is refused before an unknown config, and that before an unknown price', async () => {
  const shop = await Shop.open(fixture, '2027-01-31T02:00:00Z')
  const [one, two] = [await shop.cycle({ billing_count: 1 }), await shop.cycle()]
  const plan = await shop.plan(await shop.customer(CARDS.good), { recurring_cycles: [one, two] })
  const change = (cycle_id = '', recurring_billing_config = 'FREQ=NEVER') => {
    const recurring_items = [{ recurring_item_id: 'rit_other', quantity: 1 }]
    return recurring.change(shop.caller, plan.id, { recurring_items, cycle_id, recurring_billing_config })
  }
  const upcoming = plan.recurring_cycles[1]?.id
  expect(await refusalOf(change('rcy_other'))).toBe('404 recurring_cycle_not_found change.cycle_id')
  expect(await refusalOf(change(upcoming))).toBe(
    '422 recurrence_rule_unsupported change.recurring_billing_config',
  )
  expect(await refusalOf(change(upcoming, 'rbc_0'))).toBe(
    '404 billing_config_not_found change.recurring_billing_config',
  )
  expect(await refusalOf(change(upcoming, 'FREQ=MONTHLY'))).toBe(
    '404 recurring_item_not_found change.recurring_items[0].recurring_item_id',
  )
})

test('a preview gives what the change does, stores nothing, and holds it to its total', async () => {
  const { shop, planId, item, change, preview } = await planOn('2027-01-31T02:00:00Z', 39.9)
  await shop.advance('2027-03-15T02:00:00Z')
  const recurring_items = [{ quantity: 1, recurring_item_id: await item(99.9) }]
  const request = { recurring_items, proration_date: '2027-03-10T00:00:00Z' }
  const before = await shop.get(planId)
  const previewed = await preview(request)
  expect(await shop.get(planId)).toEqual(before)
  expect(previewed.orders.map(({ date, amount }) => [date, amount])).toEqual([
    ['2027-03-31T02:00:00.000Z', 99.9],
    ['2027-04-30T02:00:00.000Z', 99.9],
    ['2027-05-31T02:00:00.000Z', 99.9],
  ])
  expect(await refusalOf(change({ ...request, expected_total: 1 }))).toBe(
    '409 total_changed change.expected_total',
  )
  const changed = await change({ ...request, expected_total: previewed.change.total as number })
  expect(changed.change).toEqual(previewed.change)
})

test('members that exclude each other and what changes nothing are refused with the member', async () => {
  const { shop, planId, first, change } = await planOn('2027-01-31T02:00:00Z', 30)
  const items = [{ quantity: 1, recurring_item_id: first }]
  const more = [{ quantity: 2, recurring_item_id: first }]
  const weekly = 'FREQ=WEEKLY'
  const cases: [PlanChangeRequest, string][] = [
    [{ recurring_items: items }, '422 nothing_changes'],
    [
      { recurring_items: [{ quantity: Number.MAX_SAFE_INTEGER, recurring_item_id: first }] },
      '422 billing_amount_too_large change.recurring_items',
    ],
    [{}, '400 missing_member change.recurring_items'],
    [
      { recurring_items: more, replace: [{ from: first, to: first }] },
      '422 change_inconsistent change.replace',
    ],
    [{ replace: [{ from: 'rit_other', to: first }] }, '422 change_inconsistent change.replace[0].from'],
    [{ recurring_items: more, billing_count: 3 }, '422 change_inconsistent change.billing_count'],
    [{ recurring_billing_config: weekly, billing_count: 3 }, '422 change_inconsistent change.billing_count'],
    [
      { recurring_billing_config: weekly, proration: 'next_order' },
      '422 change_inconsistent change.proration',
    ],
    [
      { recurring_items: more, at: 'period_end', proration: 'now' },
      '422 change_inconsistent change.proration',
    ],
    [
      { recurring_items: more, proration_date: '2027-01-30T00:00:00Z' },
      '422 proration_date_invalid change.proration_date',
    ],
    [{ recurring_items: more, proration_date: 'soon' }, '422 proration_date_invalid change.proration_date'],
    [
      { recurring_items: [{ quantity: 1, recurring_item_id: 'x' }] },
      '404 recurring_item_not_found change.recurring_items[0].recurring_item_id',
    ],
    [
      { recurring_items: [{ quantity: 1, recurring_item_id: await shop.item(3, 'HKD') }] },
      '422 plan_currency_mixed change.recurring_items[0].recurring_item_id',
    ],
  ]
  for (const [request, refusal] of cases) expect(await refusalOf(change(request))).toBe(refusal)
  await recurring.cancel(shop.caller, planId, true)
  expect(await refusalOf(change({ recurring_items: more, at: 'period_end' }))).toBe('409 plan_not_changeable')
  await recurring.pause(shop.caller, planId)
  expect(await refusalOf(change({ recurring_items: more }))).toBe('409 plan_not_changeable')
})

test('of changes at once each is priced after the one before, and none is half done', async () => {
  const { shop, planId, first, change } = await planOn('2027-04-01T02:00:00Z', 30)
  await shop.advance('2027-04-16T02:00:00Z')
  const quantities = [2, 3, 4, 5]
  const done = await Promise.allSettled(
    quantities.map((quantity) => change({ recurring_items: [{ recurring_item_id: first, quantity }] })),
  )
  expect(done.map(({ status }) => status)).toContain('fulfilled')
  for (const one of done) {
    if (one.status === 'rejected')
      expect(await refusalOf(Promise.reject(one.reason))).toBe('409 payment_in_progress')
  }
  const { recurring_cycles: cycles } = await shop.get(planId)
  const quantity = cycles[0]?.recurring_items[0]?.quantity ?? 0
  await shop.advance('2027-04-16T03:00:00Z')
  const orders = await shop.orders(planId)
  const billed = orders.reduce(
    (sum, order) => sum + Number(order.initial_total) - Number(order.billing?.credited_total),
    0,
  )
  expect(billed).toBeCloseTo(30 + (quantity - 1) * 15)
  expect(await shop.breaches()).toEqual([])
})
