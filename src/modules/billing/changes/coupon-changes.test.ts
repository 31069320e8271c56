import { expect, test } from 'vitest'
import { asJson, createFixture } from '../testing/fixture.ts'
import { openCouponShop } from '../testing/coupons.ts'

// Proves reference/billing-coupons#changes, reference/billing-coupons#periods.
const fixture = await createFixture()
const { recurring } = fixture
const START = '2027-04-01T02:00:00Z'
/** April has 30 days, of which 15 are left. */
const HALF_WAY = '2027-04-16T02:00:00Z'
const NEXT = '2027-05-01T02:00:00Z'

async function open() {
  const coupons = await openCouponShop(fixture, START)
  const { shop, caller, customer } = coupons
  const price = async (amount: number) => {
    const { product } = asJson(await recurring.createProduct(caller, { name: `At ${amount}` }))
    const made = await recurring.createPrice(caller, {
      product_id: product.id,
      currency: 'HKD',
      model: 'per_unit',
      unit_amount: amount,
    })
    return { product: product.id, id: asJson(made).price.id }
  }
  const listOf = (ids: readonly string[]) => ids.map((id) => ({ recurring_item_id: id, quantity: 1 }))
  const planOf = async (ids: readonly string[], texts: readonly string[] = []) => {
    const recurring_cycles = [await shop.cycle({ recurring_items: listOf(ids) })]
    const plan = await shop.plan(customer, { recurring_cycles, coupons: [...texts] })
    await shop.advance(START)
    await shop.advance(HALF_WAY)
    return plan
  }
  const changeTo = async (
    planId: string,
    ids: readonly string[],
    more: { proration?: 'next_order' } = {},
  ) => {
    const request = { recurring_items: listOf(ids), ...more }
    const previewed = asJson(await recurring.previewChange(caller, planId, request)).change
    const { change } = asJson(await recurring.change(caller, planId, request))
    expect(change).toEqual(previewed)
    return {
      lines: change.line_items.map(({ kind, label, price: amount }) => [kind, label, amount]),
      total: change.total,
    }
  }
  return { ...coupons, price, planOf, changeTo }
}

test('the charges and credits of a change are net of a percentage, without a line of the coupon', async () => {
  const { shop, coupon, price, planOf, changeTo, billed } = await open()
  const { id } = await coupon({ percent_off: 25 })
  const [before, after] = [await price(100), await price(200)]
  const plan = await planOf([before.id], [id])
  expect(await changeTo(plan.id, [after.id])).toEqual({
    lines: [
      ['proration_credit', 'At 100', -37.5],
      ['proration_charge', 'At 200', 75],
    ],
    total: 37.5,
  })
  await shop.advance(NEXT)
  expect((await billed(plan.id)).map(({ total }) => total)).toEqual([75, 37.5, 150])
  expect(await shop.breaches()).toEqual([])
})

test('a fixed amount lowers a charge in proportion', async () => {
  const { coupon, price, planOf, changeTo, shop } = await open()
  const { id } = await coupon({ amount_off: 10, currency: 'HKD' })
  const plan = await planOf([(await price(30)).id], [id])
  // Billed 20.00, of which half goes back; (60 − 10) ÷ 2 = 25.00.
  expect(await changeTo(plan.id, [(await price(60)).id])).toMatchObject({ total: 15 })
  expect(await shop.breaches()).toEqual([])
})

test('lago-api 4057: the orders of a period share its use, so a coupon of one period lowers all of them', async () => {
  const { shop, coupon, price, planOf, changeTo, billed } = await open()
  const { id } = await coupon({ percent_off: 50, times: 1 })
  const plan = await planOf([(await price(100)).id], [id])
  const dearer = [(await price(200)).id]
  expect(await changeTo(plan.id, dearer)).toMatchObject({ total: 25 })
  expect((await shop.get(plan.id)).coupons).toMatchObject([{ id, periods_lowered: 1 }])
  await shop.advance(NEXT)
  expect((await billed(plan.id)).map(({ total }) => total)).toEqual([50, 25, 200])
  expect((await shop.get(plan.id)).coupons).toEqual([])
  expect(await shop.breaches()).toEqual([])
})

test('a coupon attached in the middle of a period lowers the charges of its changes, and the period counts', async () => {
  const { shop, coupon, attach, price, planOf, changeTo, billed } = await open()
  const { id } = await coupon({ percent_off: 50, times: 2 })
  const plan = await planOf([(await price(100)).id])
  await attach(plan.id, id)
  const dearer = [(await price(300)).id]
  // 50.00 of the 100.00 that were billed go back, and half of the 300.00 is charged for half of the period.
  expect(await changeTo(plan.id, dearer)).toMatchObject({ total: 25 })
  expect((await shop.get(plan.id)).coupons).toMatchObject([{ periods_lowered: 1 }])
  await shop.advance('2027-06-01T02:00:00Z')
  expect((await billed(plan.id)).map(({ total }) => total)).toEqual([100, 25, 150, 300])
  expect(await shop.breaches()).toEqual([])
})

test('polar 8780: a coupon attached in a period without a change does not count that period', async () => {
  const { shop, coupon, attach, price, planOf, billed } = await open()
  const { id } = await coupon({ percent_off: 50, times: 1 })
  const plan = await planOf([(await price(100)).id])
  await attach(plan.id, id)
  await shop.advance('2027-06-01T02:00:00Z')
  expect((await billed(plan.id)).map(({ total }) => total)).toEqual([100, 50, 100])
})

test('an item is credited what was billed for it, also where a coupon covers it alone', async () => {
  const { shop, coupon, price, planOf, changeTo } = await open()
  const [team, desk] = [await price(40), await price(60)]
  const { id } = await coupon({ percent_off: 50, product_ids: [team.product] })
  const plan = await planOf([team.id, desk.id], [id])
  // Of the 80.00 that were billed, 60.00 are the desk's.
  expect(await changeTo(plan.id, [team.id, (await price(80)).id])).toEqual({
    lines: [
      ['proration_credit', 'At 60', -30],
      ['proration_charge', 'At 80', 40],
    ],
    total: 10,
  })
  expect(await shop.breaches()).toEqual([])
})

test('an item that stays is priced anew only where it shares a fixed coupon with one that changes', async () => {
  const { shop, coupon, price, planOf, changeTo } = await open()
  const [team, desk, dearer] = [await price(40), await price(60), await price(160)]
  const both = await coupon({ name: 'Both', amount_off: 10, currency: 'HKD' })
  const shared = await planOf([team.id, desk.id], [both.id])
  expect(await changeTo(shared.id, [team.id, dearer.id])).toEqual({
    lines: [
      ['proration_credit', 'At 40', -18],
      ['proration_credit', 'At 60', -27],
      ['proration_charge', 'At 40', 19],
      ['proration_charge', 'At 160', 76],
    ],
    total: 50,
  })
  const alone = await coupon({ amount_off: 10, currency: 'HKD', product_ids: [team.product] })
  await shop.jump(START)
  const apart = await planOf([team.id, desk.id], [alone.id])
  expect(await changeTo(apart.id, [team.id, dearer.id])).toEqual({
    lines: [
      ['proration_credit', 'At 60', -30],
      ['proration_charge', 'At 160', 80],
    ],
    total: 50,
  })
})

test('a new interval has coupon lines on its first order, which is a period of its own', async () => {
  const { shop, caller, coupon, price, planOf, billed } = await open()
  const { id } = await coupon({ percent_off: 50, times: 2 })
  const item = await price(100)
  const plan = await planOf([item.id], [id])
  await recurring.change(caller, plan.id, { recurring_billing_config: 'FREQ=MONTHLY;INTERVAL=2' })
  expect((await billed(plan.id)).at(-1)).toEqual({ coupons: [['Welcome', -50]], total: 25 })
  expect((await shop.get(plan.id)).coupons).toMatchObject([{ periods_lowered: 2 }])
  await shop.advance('2027-06-16T02:00:00Z')
  expect((await billed(plan.id)).at(-1)).toEqual({ coupons: [], total: 100 })
  expect(await shop.breaches()).toEqual([])
})

test('lago-api 1022: what a coupon took is never credited, not even of an order that cost nothing', async () => {
  const { shop, coupon, price, planOf, changeTo } = await open()
  const { id } = await coupon({ percent_off: 100, times: 1 })
  const plan = await planOf([(await price(100)).id], [id])
  const { lines, total } = await changeTo(plan.id, [(await price(10)).id])
  expect([lines, total]).toEqual([[], 0])
  expect((await shop.get(plan.id)).credit).toBe(0)
})

test('lines that wait for the next order stay net, and that order is lowered by its own lines only', async () => {
  const { shop, coupon, price, planOf, changeTo, billed } = await open()
  const { id } = await coupon({ percent_off: 50 })
  const plan = await planOf([(await price(100)).id], [id])
  await changeTo(plan.id, [(await price(200)).id], { proration: 'next_order' })
  await shop.advance(NEXT)
  // −25.00 and 50.00 of the change, then 200.00 less 100.00.
  expect((await billed(plan.id)).at(-1)).toEqual({ coupons: [['Welcome', -100]], total: 125 })
  expect(await shop.breaches()).toEqual([])
})

test('a coupon that finds nothing left of the charges of a change uses no period', async () => {
  const { shop, coupon, attach, price, planOf, changeTo } = await open()
  const all = await coupon({ name: 'All', percent_off: 100 })
  const five = await coupon({ name: 'Five', amount_off: 5, currency: 'HKD', times: 1 })
  const plan = await planOf([(await price(100)).id])
  await attach(plan.id, all.id)
  await attach(plan.id, five.id)
  expect(await changeTo(plan.id, [(await price(200)).id])).toMatchObject({ total: 0 })
  expect((await shop.get(plan.id)).coupons).toMatchObject([{ periods_lowered: 1 }, { periods_lowered: 0 }])
})
