import { expect, test } from 'vitest'
import type { BillingConfig } from '#kernel/billing-config'
import { reasonOf } from '#platform/testing/requests'
import { advance, type NewPlan, nextExecuteAt } from '#modules/plans'
import type { NewBillingConfig } from '#modules/catalogue'
import type { PlanChangeRequest } from './changes/change-request.ts'
import { openCouponShop } from './testing/coupons.ts'
import { asJson, CARDS, createFixture, Shop } from './testing/fixture.ts'
import { at, MONTHLY, newAggregate, withNewOrder } from '../plans/testing/plan-aggregates.ts'

// Proves reference/billing-changes#proration, reference/billing-changes#request, reference/recurring#billing-dates,
// reference/recurring#proration, reference/recurring#pause, reference/billing-coupons#redemptions,
// reference/billing-dunning#plans, reference/billing-dunning#exhausted, reference/billing-catalogue#versions.
const fixture = await createFixture()
const { recurring } = fixture

interface Options {
  readonly card?: string
  readonly rhythm?: string | NewBillingConfig
  readonly quantity?: number
  readonly plan?: Partial<NewPlan>
}

/** A plan of one item whose first period has been billed. */
async function planOf(start: string, price: number, options: Options = {}) {
  const { rhythm = 'FREQ=MONTHLY', quantity = 1 } = options
  const shop = await Shop.open(fixture, start)
  const { caller } = shop
  const customer = await shop.customer(options.card ?? CARDS.good)
  const item = await shop.item(price)
  const config =
    typeof rhythm === 'string'
      ? rhythm
      : (await recurring.createBillingConfig(caller, rhythm)).recurring_billing_config.id
  const cycle = {
    recurring_billing_config: config,
    recurring_items: [{ quantity, recurring_item_id: item }],
  }
  const { id } = await shop.plan(customer, { recurring_cycles: [await shop.cycle(cycle)], ...options.plan })
  await shop.advance(start)
  const change = async (request: PlanChangeRequest) => asJson(await recurring.change(caller, id, request))
  const to = async (amount: number, more: PlanChangeRequest = {}) =>
    change({ recurring_items: [{ quantity: 1, recurring_item_id: await shop.item(amount) }], ...more })
  const totals = async () => (await shop.orders(id)).map(({ initial_total: total }) => total)
  return { shop, caller, customer, id, item, change, to, totals }
}

function lines({ change }: { change: { line_items: readonly { kind?: string; price: unknown }[] } }) {
  return change.line_items.map(({ kind, price }) => [kind, price])
}

const CALENDAR = { ...MONTHLY, billing_type: 'calendar', billing_day_of_month: 31 } as const

test.each<[string, BillingConfig, string, string[]]>([
  [
    'lago-api 6173: a year from a leap day',
    { ...MONTHLY, billing_interval: 'year' },
    '2028-02-29',
    ['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29', '2033-02-28'],
  ],
  [
    'lago-api 6173: a quarter from the last of a month',
    { ...MONTHLY, interval_count: 3 },
    '2027-08-31',
    ['2027-08-31', '2027-11-30', '2028-02-29', '2028-05-31', '2028-08-31', '2028-11-30'],
  ],
  [
    'killbill 127: the 31st of a month, from a month of thirty days',
    CALENDAR,
    '2027-04-10',
    ['2027-04-30', '2027-05-31', '2027-06-30', '2027-07-31', '2027-08-31', '2027-09-30'],
  ],
  [
    'killbill 2133: the end of every second month, from the end of a short one',
    { ...CALENDAR, interval_count: 2 },
    '2027-02-28',
    ['2027-02-28', '2027-04-30', '2027-06-30', '2027-08-31', '2027-10-31', '2027-12-31'],
  ],
])('%s is billed without a gap and without a day twice', (_, config, start, days) => {
  let aggregate = newAggregate({ start: at(`${start}T02:00:00Z`), cycles: [{ config }] })
  const periods: { start: string; end: string }[] = []
  while (periods.length < days.length) {
    const advanced = advance(aggregate, nextExecuteAt(aggregate) ?? at('2099-01-01T00:00:00Z'))
    aggregate = advanced.aggregate
    if (advanced.bill === undefined) continue
    const { bill } = advanced
    periods.push({ start: bill.start.toString().slice(0, 10), end: bill.end.toString().slice(0, 10) })
    aggregate = withNewOrder(aggregate, bill).aggregate
  }
  expect(periods.map((period) => period.start)).toEqual(days)
  expect(periods.slice(0, -1).map(({ end }) => end)).toEqual(days.slice(1))
})

test.each([
  ['2025-02-26', 0.96],
  ['2028-02-27', 0.93],
  ['2028-02-02', 8.69],
])('BCApps 5718: the days of a short February are parts of that February: from %s', async (day, total) => {
  const rhythm = { ...CALENDAR, billing_day_of_month: 1, billing_proration_enabled: true }
  const { totals } = await planOf(`${day}T02:00:00Z`, 9, { rhythm })
  expect(await totals()).toEqual([total])
})

test('lago-api 1834: a year that becomes months at its end is not cut short, whatever a day costs', async () => {
  const { shop, id, to, totals } = await planOf('2027-01-10T02:00:00Z', 134, { rhythm: 'FREQ=YEARLY' })
  await shop.advance('2027-03-10T02:00:00Z')
  await to(17, { recurring_billing_config: 'FREQ=MONTHLY', at: 'period_end' })
  await shop.advance('2028-01-09T02:00:00Z')
  expect(await totals()).toEqual([134])
  await shop.advance('2028-02-10T02:00:00Z')
  expect(await totals()).toEqual([134, 17, 17])
  expect((await shop.get(id)).credit).toBe(0)
  expect(await shop.breaches()).toEqual([])
})

test('rallly 2481: seats that are added to a year are billed and charged at once, and the next year alone', async () => {
  const rhythm = 'FREQ=YEARLY'
  const { shop, item, change, totals } = await planOf('2027-01-01T02:00:00Z', 73, { rhythm, quantity: 5 })
  await shop.advance('2027-08-08T02:00:00Z')
  const { order } = await change({ recurring_items: [{ quantity: 10, recurring_item_id: item }] })
  // 146 of 365 days are left: 5 × 73.00 × 146 ÷ 365.
  expect(order).toMatchObject({ initial_total: 146 })
  await shop.advance('2027-08-08T03:00:00Z')
  await shop.advance('2028-01-01T02:00:00Z')
  expect(await totals()).toEqual([365, 146, 730])
  expect(await shop.breaches()).toEqual([])
})

test('killbill 877: from free to a price on the first day bills the whole price once', async () => {
  const { shop, to, totals } = await planOf('2027-02-26T02:00:00Z', 0)
  await shop.advance('2027-02-26T09:51:00Z')
  expect(lines(await to(3))).toEqual([['proration_charge', 3]])
  await shop.advance('2027-03-26T02:00:00Z')
  expect(await totals()).toEqual([0, 3, 3])
  expect(await shop.breaches()).toEqual([])
})

test('polar 10617: a change that costs nothing is applied without lines and without an order', async () => {
  const { shop, id, to, totals } = await planOf('2027-03-01T02:00:00Z', 0)
  await shop.advance('2027-03-10T02:00:00Z')
  const changed = await to(0)
  expect(changed).toMatchObject({ change: { state: 'applied', line_items: [], total: 0 } })
  expect(changed.order).toBeUndefined()
  expect(await totals()).toEqual([0])
  expect((await shop.events(id)).map(({ type }) => type)).toContain('plan.changed')
  expect(await shop.breaches()).toEqual([])
})

test('killbill 159: what is left of a period after a pause within it is credited by a change', async () => {
  const { shop, caller, id, to, totals } = await planOf('2027-07-01T02:00:00Z', 31)
  await shop.advance('2027-07-10T02:00:00Z')
  await recurring.pause(caller, id)
  await shop.advance('2027-07-23T02:00:00Z')
  await recurring.resume(caller, id)
  expect(lines(await to(62))).toEqual([
    ['proration_credit', -9],
    ['proration_charge', 18],
  ])
  await shop.advance('2027-08-01T02:00:00Z')
  expect(await totals()).toEqual([31, 9, 62])
  expect(await shop.breaches()).toEqual([])
})

test('killbill 2306: a year that is paused again and again keeps its end, and can still be changed and billed', async () => {
  const { shop, caller, id, to, totals } = await planOf('2027-06-21T02:00:00Z', 366, {
    rhythm: 'FREQ=YEARLY',
  })
  for (const [from, until] of [
    ['2027-07-05', '2027-07-16'],
    ['2027-08-05', '2027-09-24'],
  ]) {
    await shop.advance(`${from}T02:00:00Z`)
    await recurring.pause(caller, id)
    await shop.advance(`${until}T02:00:00Z`)
    await recurring.resume(caller, id)
  }
  // 271 of 366 days are left.
  expect(lines(await to(732))).toEqual([
    ['proration_credit', -271],
    ['proration_charge', 542],
  ])
  await shop.advance('2028-06-21T01:59:00Z')
  expect(await totals()).toEqual([366, 271])
  await shop.advance('2028-06-21T02:00:00Z')
  expect(await totals()).toEqual([366, 271, 732])
  expect(await shop.breaches()).toEqual([])
})

test('killbill 258: pauses and resumptions at one moment are reported in the order in which they happened', async () => {
  const { shop, caller, id } = await planOf('2027-07-01T02:00:00Z', 31)
  for (const step of ['pause', 'resume', 'pause', 'resume'] as const) await recurring[step](caller, id)
  const events = (await shop.events(id)).filter(({ type }) => /paused|resumed/.test(type))
  expect(events.map(({ type }) => type)).toEqual([
    'plan.paused',
    'plan.resumed',
    'plan.paused',
    'plan.resumed',
  ])
  expect(new Set(events.map((event) => event.at)).size).toBe(1)
  expect((await shop.get(id)).state).toBe('active')
})

test('killbill 1920: each of the orders ahead of a paused plan has its own period alone', async () => {
  const { shop, caller, id, totals } = await planOf('2027-08-01T02:00:00Z', 31)
  await shop.advance('2027-08-20T02:00:00Z')
  await recurring.pause(caller, id, '2027-09-15')
  const { steps } = await fixture.db.transact(caller.businessId, (tx) => recurring.readPlanSteps(tx, id))
  expect(steps.map((step) => [step.kind, 'at' in step ? step.at.toString().slice(0, 10) : null])).toEqual([
    ['resumption', '2027-09-14'],
    ['bill', '2027-10-01'],
  ])
  await shop.advance('2027-11-01T02:00:00Z')
  expect(await totals()).toEqual([31, 31, 31])
})

test('killbill 1882: of many versions of a price the plan pays the one that was chosen last, from the next period on', async () => {
  const { shop, caller, customer } = await planOf('2027-04-22T02:00:00Z', 5)
  const { product } = asJson(await recurring.createProduct(caller, { name: 'Music' }))
  const first = asJson(
    await recurring.createPrice(caller, {
      product_id: product.id,
      currency: 'HKD',
      model: 'per_unit',
      unit_amount: 6.99,
    }),
  ).price.id
  const listOf = (id: string) => [{ recurring_item_id: id, quantity: 1 }]
  const cycle = await shop.cycle({ recurring_items: listOf(first) })
  const plan = await shop.plan(customer, { recurring_cycles: [cycle] })
  await shop.advance('2027-04-22T02:00:00Z')
  let newest = first
  for (const unit_amount of [10.5, 12.5]) {
    const version = asJson(await recurring.createPriceVersion(caller, newest, { unit_amount }))
    newest = version.price.id
    await recurring.change(caller, plan.id, { recurring_items: listOf(newest), at: 'period_end' })
  }
  await shop.advance('2027-06-22T02:00:00Z')
  expect((await shop.orders(plan.id)).map(({ initial_total: total }) => total)).toEqual([6.99, 12.5, 12.5])
  expect(await shop.breaches()).toEqual([])
})

test('polar 10567: more seats under a coupon that takes everything cost nothing and are there', async () => {
  const start = '2027-04-01T02:00:00Z'
  const { shop, caller, customer, coupon, billed } = await openCouponShop(fixture, start)
  const { id } = await coupon({ percent_off: 100 })
  const seat = await shop.item(20)
  const seats = (quantity: number) => [{ recurring_item_id: seat, quantity }]
  const cycle = await shop.cycle({ recurring_items: seats(2) })
  const plan = await shop.plan(customer, { recurring_cycles: [cycle], coupons: [id] })
  await shop.advance(start)
  await shop.advance('2027-04-16T02:00:00Z')
  const changed = asJson(await recurring.change(caller, plan.id, { recurring_items: seats(5) }))
  expect(changed).toMatchObject({ change: { state: 'applied', total: 0 } })
  await shop.advance('2027-05-01T02:00:00Z')
  expect((await billed(plan.id)).at(-1)).toEqual({ coupons: [['Welcome', -100]], total: 0 })
  expect((await billed(plan.id)).every(({ total }) => total === 0)).toBe(true)
  expect(await shop.breaches()).toEqual([])
})

test('shopware 18716: redemptions by different codes at once share the limit of their coupon', async () => {
  const { shop, customer, coupon, code, redemptions } = await openCouponShop(fixture, '2027-04-01T02:00:00Z')
  const { id } = await coupon({ max_redemptions: 3 })
  const codes = Array.from({ length: 24 }, (_, index) => `CODE${index}`)
  for (const text of codes) await code({ coupon_id: id, code: text, max_redemptions: 1 })
  const recurring_cycles = [await shop.cycle()]
  const results = await Promise.all(
    codes.map((text) => reasonOf(shop.plan(customer, { recurring_cycles, coupons: [text] }))),
  )
  expect(results.filter((result) => result === 'done')).toHaveLength(3)
  expect(results.filter((result) => result === 'coupon_exhausted')).toHaveLength(21)
  expect(await redemptions(id)).toBe(3)
  expect(await shop.breaches()).toEqual([])
})

async function policyOf(shop: Shop, days: readonly number[], exhausted: 'cancel' | 'uncollectible') {
  const steps = days.map((after_days) => ({ after_days }))
  const made = await recurring.createPolicy(shop.caller, { name: `${days.length} steps`, steps, exhausted })
  return made.dunning_policy.id
}

test('killbill 455: plans of one business are attempted and given up by their own policies', async () => {
  const shop = await Shop.open(fixture, '2031-05-10T02:00:00Z')
  const customer = await shop.customer(CARDS.declining)
  const withPolicy = async (days: readonly number[], exhausted: 'cancel' | 'uncollectible') =>
    shop.plan(customer, { dunning_policy_id: await policyOf(shop, days, exhausted), grace_period: 30 })
  const [quick, patient] = [await withPolicy([1, 2], 'cancel'), await withPolicy([5, 9], 'uncollectible')]
  await shop.advance('2031-05-25T02:00:00Z')
  const days = async (id: string) =>
    (await shop.orders(id))[0]?.transactions?.map(({ created_at: time }) => time.slice(8, 10))
  expect(await days(quick.id)).toEqual(['10', '11', '12'])
  expect(await days(patient.id)).toEqual(['10', '15', '19'])
  expect((await shop.get(quick.id)).state).toBe('canceled')
  expect((await shop.get(patient.id)).state).toBe('uncollectible')
  expect(await shop.breaches()).toEqual([])
})

test('polar 6542: a plan that is canceled at once is attempted no more, whatever its policy had planned', async () => {
  const start = '2031-05-10T02:00:00Z'
  const { shop, customer, id } = await planOf(start, 31)
  await recurring.edit(shop.caller, id, {
    dunning_policy_id: await policyOf(shop, [1, 3, 5], 'uncollectible'),
  })
  await shop.bind(customer, CARDS.declining)
  await shop.advance('2031-06-11T02:00:00Z')
  const attempts = async () => (await shop.orders(id))[1]?.transactions?.length
  expect(await attempts()).toBe(2)
  await recurring.cancel(shop.caller, id, false)
  await shop.advance('2031-08-10T02:00:00Z')
  expect(await attempts()).toBe(2)
  expect((await shop.get(id)).state).toBe('canceled')
  expect(await shop.orders(id)).toHaveLength(2)
  expect(await shop.breaches()).toEqual([])
})

test('polar 7047: a plan canceled within its trial ends with it unbilled, one canceled just after it has its period', async () => {
  const start = '2031-05-10T02:00:00Z'
  const [within, after] = await Promise.all([
    planOf(start, 31, { plan: { trial: { days: 14 } } }),
    planOf(start, 31, { plan: { trial: { days: 14 } } }),
  ])
  await recurring.cancel(within.caller, within.id, true)
  await within.shop.advance('2031-05-24T02:00:00Z')
  await after.shop.advance('2031-05-24T02:00:00Z')
  expect(await within.totals()).toEqual([])
  expect((await within.shop.get(within.id)).state).toBe('canceled')
  await recurring.cancel(after.caller, after.id, true)
  expect(await after.totals()).toEqual([31])
  expect((await after.shop.get(after.id)).state).toBe('active')
  await after.shop.advance('2031-08-24T02:00:00Z')
  expect(await after.totals()).toEqual([31])
  expect((await after.shop.get(after.id)).state).toBe('canceled')
  for (const { shop } of [within, after]) expect(await shop.breaches()).toEqual([])
})

test('killbill 698: a plan that ends for want of payment gives back nothing of the periods that were paid', async () => {
  const start = '2031-05-10T02:00:00Z'
  const { shop, customer, id } = await planOf(start, 31)
  await recurring.edit(shop.caller, id, { dunning_policy_id: await policyOf(shop, [3], 'cancel') })
  await shop.bind(customer, CARDS.declining)
  await shop.advance('2031-06-14T02:00:00Z')
  const plan = await shop.get(id)
  expect(plan).toMatchObject({ state: 'canceled', credit: 0 })
  const [paid, unpaid] = await shop.orders(id)
  expect(paid).toMatchObject({ state: 'completed', paid_total: '31.00', billing: { credited_total: 0 } })
  expect(unpaid).toMatchObject({ amount_due: '31.00', billing: { credited_total: 0 } })
  expect(await shop.breaches()).toEqual([])
})
