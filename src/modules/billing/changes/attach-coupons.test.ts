import { expect, test } from 'vitest'
import { StoredReply } from '#platform/idempotency/stored-reply'
import { reasonOf, refusalOf, withKey } from '#platform/testing/requests'
import { asJson, createFixture, planOf } from '../testing/fixture.ts'
import { openCouponShop } from '../testing/coupons.ts'
import type { NewCoupon } from '#modules/catalogue'

// Proves reference/billing-coupons#attaching, reference/billing-coupons#redemptions.
const fixture = await createFixture()
const { recurring } = fixture
const START = '2031-01-31T02:00:00Z'
const LATER = '2031-02-10T00:00:00Z'
const open = () => openCouponShop(fixture, START)

test('a plan takes coupons by id and by code when it is made, and shows them as they were attached', async () => {
  const { shop, customer, coupon, code, redemptions } = await open()
  const first = await coupon({ name: 'First', times: 2 })
  const second = await coupon({ name: 'Second', amount_off: 5, currency: 'HKD' })
  const { id: codeId } = await code({ coupon_id: second.id, code: 'Spring' })
  const plan = await shop.plan(customer, { coupons: ['SPRING', first.id], start_date: LATER })
  expect(plan.coupons).toEqual([
    {
      id: second.id,
      name: 'Second',
      percent_off: null,
      amount_off: 5,
      currency: 'HKD',
      times: null,
      until: null,
      product_ids: null,
      exclusive: false,
      promotion_code_id: codeId,
      code: 'Spring',
      periods_lowered: 0,
      attached_at: '2031-01-31T02:00:00.000Z',
    },
    expect.objectContaining({ id: first.id, percent_off: 25, times: 2, code: null }),
  ])
  expect(await shop.get(plan.id)).toEqual(plan)
  expect([await redemptions(first.id), await redemptions(second.id)]).toEqual([1, 1])
  expect(await shop.breaches()).toEqual([])
})

test('a plan without coupons has no member coupons, and one that lost its last has none in it', async () => {
  const { shop, customer, coupon, attach, detach } = await open()
  const plan = await shop.plan(customer, { start_date: LATER })
  expect(plan).not.toHaveProperty('coupons')
  const { id } = await coupon()
  expect((await attach(plan.id, id)).coupons).toHaveLength(1)
  expect((await detach(plan.id, id)).coupons).toEqual([])
  expect((await shop.get(plan.id)).coupons).toEqual([])
  const types = (await shop.events(plan.id)).map(({ type }) => type)
  expect(types).toEqual(['plan.created', 'plan.coupon_attached', 'plan.coupon_detached'])
})

test('detaching gives no redemption back, and attaching again takes another', async () => {
  const { shop, caller, customer, coupon, code, attach, detach, redemptions } = await open()
  const { id } = await coupon({ max_redemptions: 2 })
  const promotion = await code({ coupon_id: id, code: 'ONCE', max_redemptions: 1 })
  const plan = await shop.plan(customer, { start_date: LATER, coupons: ['once'] })
  await detach(plan.id, id)
  expect(await redemptions(id)).toBe(1)
  expect(await refusalOf(attach(plan.id, 'ONCE'))).toBe('409 coupon_exhausted coupon')
  await attach(plan.id, id)
  await detach(plan.id, id)
  expect(await redemptions(id)).toBe(2)
  expect(await refusalOf(attach(plan.id, id))).toBe('409 coupon_exhausted coupon')
  expect(asJson(await recurring.coupon(caller, id)).coupon.state).toBe('exhausted')
  expect(asJson(await recurring.promotionCode(caller, promotion.id)).promotion_code).toMatchObject({
    redemptions: 1,
    state: 'exhausted',
  })
  expect(await refusalOf(recurring.editCoupon(caller, id, { max_redemptions: 1 }))).toBe(
    '422 coupon_invalid coupon.max_redemptions',
  )
  expect(await shop.breaches()).toEqual([])
})

test('what a plan cannot have is refused at creation, in a preview and later, naming the member', async () => {
  const { shop, caller, customer, coupon, attach } = await open()
  const plan = await shop.plan(customer, { start_date: LATER })
  const { product } = asJson(await recurring.createProduct(caller, { name: 'Team' }))
  const stranger = await shop.customer()
  const passed = await coupon({ redeem_until: '2031-02-01' })
  const cases: [Partial<NewCoupon> | string, string][] = [
    ['cpn_unknown', '404 coupon_not_found'],
    ['NOCODE', '404 coupon_not_found'],
    [{ amount_off: 5, currency: 'EUR' }, '422 coupon_invalid'],
    [{ minimum_amount: 5, currency: 'EUR' }, '422 coupon_invalid'],
    [{ product_ids: [product.id] }, '409 coupon_not_applicable'],
    [{ customer_uuids: [stranger] }, '409 coupon_not_applicable'],
    [{ minimum_amount: 100.01, currency: 'HKD' }, '409 coupon_not_applicable'],
    [passed.id, '409 coupon_expired'],
  ]
  await shop.jump('2031-02-05T00:00:00Z')
  for (const [members, refusal] of cases) {
    const id = typeof members === 'string' ? members : (await coupon(members)).id
    const body = { coupons: [(await coupon()).id, id], start_date: LATER }
    expect(await refusalOf(shop.plan(customer, body))).toBe(`${refusal} plan.coupons[1]`)
    expect(await refusalOf(attach(plan.id, id))).toBe(`${refusal} coupon`)
  }
  expect(await shop.get(plan.id)).toEqual(plan)
})

test('lago-api 227: a plan has a coupon once, also by another code', async () => {
  const { shop, customer, coupon, code, attach, redemptions } = await open()
  const { id } = await coupon()
  await code({ coupon_id: id, code: 'A' })
  const plan = await shop.plan(customer, { start_date: LATER, coupons: [id] })
  expect(await refusalOf(attach(plan.id, id))).toBe('409 coupon_attached coupon')
  expect(await refusalOf(attach(plan.id, 'a'))).toBe('409 coupon_attached coupon')
  const twice = shop.plan(customer, { start_date: LATER, coupons: [id, 'A'] })
  expect(await refusalOf(twice)).toBe('409 coupon_attached plan.coupons[1]')
  expect(await redemptions(id)).toBe(1)
})

test('an exclusive coupon stands beside no other, whichever comes first', async () => {
  const { shop, customer, coupon, attach, detach } = await open()
  const alone = await coupon({ exclusive: true })
  const other = await coupon()
  const plan = await shop.plan(customer, { start_date: LATER, coupons: [other.id] })
  expect(await refusalOf(attach(plan.id, alone.id))).toBe('409 coupon_not_combinable coupon')
  await detach(plan.id, other.id)
  await attach(plan.id, alone.id)
  expect(await refusalOf(attach(plan.id, other.id))).toBe('409 coupon_not_combinable coupon')
})

test('a plan has at most 20 coupons', async () => {
  const { shop, customer, coupon, attach } = await open()
  const ids: string[] = []
  for (let made = 0; made < 21; made++) ids.push((await coupon()).id)
  const plan = await shop.plan(customer, { start_date: LATER, coupons: ids.slice(0, 20) })
  expect(await refusalOf(attach(plan.id, ids[20] ?? ''))).toBe('409 coupon_not_combinable coupon')
})

test('a coupon for the first order is refused once the customer has an order under a plan', async () => {
  const { shop, customer, coupon, attach } = await open()
  const { id } = await coupon({ first_order_only: true })
  const before = await shop.plan(customer, { start_date: LATER, coupons: [id] })
  await attach((await shop.plan(customer, { start_date: LATER })).id, id)
  await shop.advance(LATER)
  const after = await shop.plan(customer, { start_date: '2031-03-01' })
  expect(await refusalOf(attach(after.id, id))).toBe('409 coupon_not_applicable coupon')
  expect((await shop.get(before.id)).coupons).toHaveLength(1)
})

test('a promotion code for one customer is for nobody else', async () => {
  const { shop, customer, coupon, code, attach } = await open()
  const { id } = await coupon()
  await code({ coupon_id: id, code: 'MINE', customer_uuid: await shop.customer() })
  const plan = await shop.plan(customer, { start_date: LATER })
  expect(await refusalOf(attach(plan.id, 'MINE'))).toBe('409 coupon_not_applicable coupon')
})

test('a plan that has ended takes no coupon and loses none', async () => {
  const { shop, caller, customer, coupon, attach, detach } = await open()
  const { id } = await coupon()
  const plan = await shop.plan(customer, { start_date: LATER, coupons: [id] })
  await recurring.cancel(caller, plan.id, false)
  expect(await refusalOf(attach(plan.id, (await coupon()).id))).toBe('409 plan_ended')
  expect(await refusalOf(detach(plan.id, id))).toBe('409 plan_ended')
})

test('a preview shows the coupons and redeems none, also one that has a single redemption left', async () => {
  const { shop, caller, customer, coupon, redemptions } = await open()
  const { id } = await coupon({ times: 2, max_redemptions: 1 })
  const body = {
    name: 'Gold',
    customer_uuid: customer,
    default_collection_method: 'charge_automatically' as const,
    payment_retry_count: 1,
    payment_retry_day_period: 1,
    recurring_cycles: [await shop.cycle()],
    coupons: [id],
  }
  for (const _ of [1, 2]) {
    const { orders } = asJson(await recurring.preview(caller, body, 4))
    expect(orders.map(({ amount }) => amount)).toEqual([75, 75, 100, 100])
    expect(orders[0]?.recurring_cycle).toBeDefined()
  }
  expect(await redemptions(id)).toBe(0)
})

test('a second plan with the same reference number redeems nothing', async () => {
  const { shop, customer, coupon, redemptions } = await open()
  const { id } = await coupon({ max_redemptions: 1 })
  const create = () => shop.plan(customer, { start_date: LATER, reference_number: 'p-1', coupons: [id] })
  const plans = await Promise.all(Array.from({ length: 16 }, create))
  expect(new Set(plans.map(({ id: planId }) => planId)).size).toBe(1)
  expect(await redemptions(id)).toBe(1)
})

test('the same request redeems once, however often it is sent', async () => {
  const { shop, caller, customer, coupon, redemptions } = await open()
  const { id } = await coupon()
  const plan = await shop.plan(customer, { start_date: LATER })
  const attach = () => recurring.attachCoupon(withKey(caller, 'k'), plan.id, id)
  expect(planOf(await attach()).coupons).toHaveLength(1)
  await expect(attach()).rejects.toBeInstanceOf(StoredReply)
  expect(await redemptions(id)).toBe(1)
})

test('lists of plans filter by the coupons that they have', async () => {
  const { shop, caller, customer, coupon, detach } = await open()
  const { id } = await coupon()
  const kept = await shop.plan(customer, { start_date: LATER, coupons: [id] })
  const lost = await shop.plan(customer, { start_date: LATER, coupons: [id] })
  await shop.plan(customer, { start_date: LATER })
  await detach(lost.id, id)
  const page = { list: 'recurring_plans', offset: 0, limit: 20, after: undefined }
  const found = asJson(await recurring.page(caller, `coupon_id = ${id}`, page))
  expect(found.plans.map((plan) => plan.id)).toEqual([kept.id])
})

test('64 plans at once take a coupon of ten redemptions exactly ten times', async () => {
  const { shop, customer, coupon, code, redemptions } = await open()
  const { id } = await coupon({ max_redemptions: 10 })
  await code({ coupon_id: id, code: 'TEN', max_redemptions: 20 })
  const recurring_cycles = [await shop.cycle()]
  const results = await Promise.all(
    Array.from({ length: 64 }, (_, index) =>
      reasonOf(
        shop.plan(customer, {
          start_date: LATER,
          recurring_cycles,
          coupons: [index % 2 === 0 ? id : 'ten'],
        }),
      ),
    ),
  )
  expect(results.filter((result) => result === 'done')).toHaveLength(10)
  expect(results.filter((result) => result === 'coupon_exhausted')).toHaveLength(54)
  expect(await redemptions(id)).toBe(10)
  expect(await shop.breaches()).toEqual([])
})

test('lago-api 5980: attaching and detaching at once leaves a coupon on a plan at most once', async () => {
  const { shop, customer, coupon, attach, detach, redemptions } = await open()
  const { id } = await coupon()
  const plan = await shop.plan(customer, { start_date: LATER })
  const results = await Promise.all(
    Array.from({ length: 32 }, (_, index) => {
      const change = index % 2 === 0 ? attach(plan.id, id) : detach(plan.id, id)
      return reasonOf(change).then((reason) => ({ kind: index % 2 === 0 ? 'attach' : 'detach', reason }))
    }),
  )
  const done = (kind: string) =>
    results.filter((result) => result.kind === kind && result.reason === 'done').length
  for (const { reason } of results) expect(['done', 'coupon_attached', 'coupon_not_found']).toContain(reason)
  expect(done('attach')).toBeGreaterThan(0)
  expect((await shop.get(plan.id)).coupons ?? []).toHaveLength(done('attach') - done('detach'))
  expect(await redemptions(id)).toBe(done('attach'))
  expect(await shop.breaches()).toEqual([])
})

test('plans that take the same coupons in another order do not wait for each other', async () => {
  const { shop, customer, coupon } = await open()
  const [a, b] = [await coupon(), await coupon()]
  const recurring_cycles = [await shop.cycle()]
  const results = await Promise.all(
    Array.from({ length: 16 }, (_, index) =>
      reasonOf(
        shop.plan(customer, {
          start_date: LATER,
          recurring_cycles,
          coupons: index % 2 === 0 ? [a.id, b.id] : [b.id, a.id],
        }),
      ),
    ),
  )
  expect(new Set(results)).toEqual(new Set(['done']))
})
