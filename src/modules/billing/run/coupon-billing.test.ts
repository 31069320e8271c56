import { expect, test } from 'vitest'
import { asJson, CARDS, createFixture } from '../testing/fixture.ts'
import { statementsOf } from '../testing/statements.ts'
import { openCouponShop } from '../testing/coupons.ts'

// Proves reference/billing-coupons#periods, reference/billing-coupons#order.
const fixture = await createFixture()
const { recurring } = fixture
const START = '2031-01-31T02:00:00Z'
const open = () => openCouponShop(fixture, START)

test('a coupon lowers as many periods as it has times, and then ends', async () => {
  const { shop, customer, coupon, billed } = await open()
  const { id } = await coupon({ times: 2 })
  const plan = await shop.plan(customer, { coupons: [id] })
  await shop.advance('2031-04-30T02:00:00Z')
  expect(await billed(plan.id)).toEqual([
    { coupons: [['Welcome', -25]], total: 75 },
    { coupons: [['Welcome', -25]], total: 75 },
    { coupons: [], total: 100 },
    { coupons: [], total: 100 },
  ])
  expect((await shop.get(plan.id)).coupons).toEqual([])
  expect(await shop.breaches()).toEqual([])
})

test('a coupon without times and until lowers every period', async () => {
  const { shop, customer, coupon, billed } = await open()
  const { id } = await coupon({ amount_off: 30, currency: 'HKD' })
  const plan = await shop.plan(customer, { coupons: [id] })
  await shop.advance('2031-04-30T02:00:00Z')
  expect((await billed(plan.id)).map(({ total }) => total)).toEqual([70, 70, 70, 70])
  expect((await shop.get(plan.id)).coupons).toMatchObject([{ id, periods_lowered: 4 }])
})

test('until is compared with the time of the order: a period that begins before it is lowered whole', async () => {
  const { shop, customer, coupon, billed } = await open()
  // The second period begins on 28 February at 10:00 in Hong Kong, the third on 31 March.
  const { id } = await coupon({ until: '2031-03-31T02:00:00Z' })
  const plan = await shop.plan(customer, { coupons: [id] })
  await shop.advance('2031-03-31T02:00:00Z')
  expect((await billed(plan.id)).map(({ total }) => total)).toEqual([75, 75, 100])
  expect((await shop.get(plan.id)).coupons).toEqual([])
})

test('a coupon that lowers nothing of a period has no line, and the period does not count', async () => {
  const { shop, customer, coupon, billed } = await open()
  const all = await coupon({ name: 'All', percent_off: 100, times: 1 })
  const five = await coupon({ name: 'Five', amount_off: 5, currency: 'HKD', times: 1 })
  const plan = await shop.plan(customer, { coupons: [all.id, five.id] })
  await shop.advance('2031-03-31T02:00:00Z')
  expect(await billed(plan.id)).toEqual([
    { coupons: [['All', -100]], total: 0 },
    { coupons: [['Five', -5]], total: 95 },
    { coupons: [], total: 100 },
  ])
  expect(await shop.breaches()).toEqual([])
})

test('a void gives neither the period nor the redemption back', async () => {
  const { shop, coupon, billed, redemptions } = await open()
  const customer = await shop.customer(CARDS.declining)
  const { id } = await coupon({ times: 2 })
  const plan = await shop.plan(customer, { coupons: [id] })
  await shop.advance(START)
  const [order] = await shop.orders(plan.id)
  await shop.voidOrder(order?.number ?? '')
  await shop.bind(customer, CARDS.good)
  expect((await shop.get(plan.id)).coupons).toMatchObject([{ periods_lowered: 1 }])
  await shop.advance('2031-03-31T02:00:00Z')
  expect((await billed(plan.id)).map(({ coupons }) => coupons.length)).toEqual([1, 1, 0])
  expect(await redemptions(id)).toBe(1)
  expect(await shop.breaches()).toEqual([])
})

test('a coupon lowers the lines of its products, with the label that its name is at the time', async () => {
  const { shop, caller, customer, coupon, billed } = await open()
  const { product } = asJson(await recurring.createProduct(caller, { name: 'Team' }))
  const { price } = asJson(
    await recurring.createPrice(caller, {
      product_id: product.id,
      currency: 'HKD',
      model: 'per_unit',
      unit_amount: 40,
    }),
  )
  const items = [
    { recurring_item_id: price.id, quantity: 1 },
    { recurring_item_id: await shop.item(60), quantity: 1 },
  ]
  const { id } = await coupon({ percent_off: 50, product_ids: [product.id] })
  const plan = await shop.plan(customer, {
    recurring_cycles: [await shop.cycle({ recurring_items: items, discount_amount: 10 })],
    coupons: [id],
  })
  await shop.advance(START)
  await recurring.editCoupon(caller, id, { name: 'Spring' })
  await shop.advance('2031-02-28T02:00:00Z')
  // The discount of 10.00 takes 4.00 of the 40.00; half of the 36.00 is left.
  expect(await billed(plan.id)).toEqual([
    { coupons: [['Welcome', -18]], total: 72 },
    { coupons: [['Spring', -18]], total: 72 },
  ])
})

test('a stub is lowered in proportion, and counts as a period', async () => {
  const { shop, caller, customer, coupon, billed } = await open()
  const config = asJson(
    await recurring.createBillingConfig(caller, {
      billing_interval: 'month',
      billing_type: 'calendar',
      billing_day_of_month: 15,
      billing_proration_enabled: true,
    }),
  ).recurring_billing_config
  const { id } = await coupon({ amount_off: 31, currency: 'HKD', times: 2 })
  const cycle = await shop.cycle({ price: 310, recurring_billing_config: config.id })
  const plan = await shop.plan(customer, { recurring_cycles: [cycle], coupons: [id] })
  await shop.advance('2031-03-15T02:00:00Z')
  // 31 January to 15 February: 15 of 31 days.
  expect(await billed(plan.id)).toEqual([
    { coupons: [['Welcome', -15]], total: 135 },
    { coupons: [['Welcome', -31]], total: 279 },
    { coupons: [], total: 310 },
  ])
})

test('a cycle below the minimum is not lowered, and does not count', async () => {
  const { shop, customer, coupon, billed } = await open()
  const { id } = await coupon({ minimum_amount: 100, currency: 'HKD', times: 2 })
  const plan = await shop.plan(customer, {
    recurring_cycles: [
      await shop.cycle({ billing_count: 1 }),
      await shop.cycle({ billing_count: 1, price: 99 }),
      await shop.cycle({ price: 200 }),
    ],
    coupons: [id],
  })
  await shop.advance('2031-04-30T02:00:00Z')
  expect((await billed(plan.id)).map(({ total }) => total)).toEqual([75, 99, 150, 200])
})

test('the timeline of a plan promises what billing does', async () => {
  const { shop, caller, customer, coupon, billed } = await open()
  const { id } = await coupon({ times: 1 })
  const plan = await shop.plan(customer, { coupons: [id], start_date: '2031-02-10T00:00:00Z' })
  const { steps } = await fixture.db.transact(caller.businessId, (tx) => recurring.readPlanSteps(tx, plan.id))
  const [bill] = steps.flatMap((step) => (step.kind === 'bill' ? [step.amount.toString()] : []))
  expect(bill).toBe('75.00')
  await shop.advance('2031-02-10T00:00:00Z')
  expect((await billed(plan.id)).map(({ total }) => total)).toEqual([75])
})

test('plans of one run that share coupons are lowered each by its own', async () => {
  const { shop, customer, coupon, billed } = await open()
  const a = await coupon({ times: 1 })
  const b = await coupon({ name: 'B', amount_off: 10, currency: 'HKD' })
  const plans = await Promise.all(
    [[a.id], [a.id, b.id], [b.id, a.id], []].map((coupons) => shop.plan(customer, { coupons })),
  )
  await shop.advance('2031-02-28T02:00:00Z')
  const totals = await Promise.all(plans.map(async ({ id }) => (await billed(id)).map(({ total }) => total)))
  expect(totals).toEqual([
    [75, 100],
    [65, 90],
    [67.5, 90],
    [100, 100],
  ])
  expect(await shop.breaches()).toEqual([])
})

test('a billing run counts the coupons of all its plans in one statement, and asks nothing of plans that never had one', async () => {
  const { shop, customer, coupon } = await open()
  const plans = async (coupons: string[]) => {
    for (let made = 0; made < 3; made++) await shop.plan(customer, { coupons })
  }
  await plans([])
  const without = await statementsOf(fixture.db, 'recurring_plan_coupons', () => shop.advance(START))
  expect(without).toEqual([])
  await plans([(await coupon()).id, (await coupon()).id])
  const texts = await statementsOf(fixture.db, 'recurring_plan_coupons', () => shop.advance(START))
  expect(texts.filter((text) => text.includes('update recurring_plan_coupons'))).toHaveLength(1)
  expect(await shop.breaches()).toEqual([])
})
