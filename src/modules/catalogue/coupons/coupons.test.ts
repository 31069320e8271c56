import { expect, test } from 'vitest'
import { ExactNumber } from '#kernel/json'
import { refusalOf } from '#platform/testing/requests'
import { asJson, createFixture, Shop } from '../../billing/testing/fixture.ts'
import type { NewCoupon, NewPromotionCode } from '../requests/coupons.ts'

// Proves reference/billing-coupons#coupons, reference/billing-coupons#promotion-codes.
const fixture = await createFixture()
const { recurring } = fixture
const START = '2031-01-31T02:00:00Z'
const PAGE = { offset: 0, limit: 20, after: undefined }

async function open() {
  const shop = await Shop.open(fixture, START)
  const { caller } = shop
  const coupon = async (members: Partial<NewCoupon> = {}) => {
    const off = members.amount_off === undefined ? { percent_off: 25 } : {}
    return asJson(await recurring.createCoupon(caller, { name: 'Welcome', ...off, ...members })).coupon
  }
  const code = async (members: Partial<NewPromotionCode> & { code: string }) => {
    const coupon_id = members.coupon_id ?? (await coupon()).id
    return asJson(await recurring.createPromotionCode(caller, { coupon_id, ...members })).promotion_code
  }
  return { shop, caller, coupon, code }
}

test('a coupon shows what it was made with', async () => {
  const { shop, caller, coupon } = await open()
  const { product } = asJson(await recurring.createProduct(caller, { name: 'Team' }))
  const customer = await shop.customer()
  const made = await coupon({
    amount_off: new ExactNumber('12.50'),
    currency: 'EUR',
    times: 3,
    product_ids: [product.id],
    customer_uuids: [customer],
    exclusive: true,
    max_redemptions: 10,
    redeem_until: '2031-03-01',
    minimum_amount: 40,
    first_order_only: true,
    reference_id: 'c-1',
    metadata: { campaign: 'spring' },
  })
  expect(made).toEqual({
    id: expect.stringMatching(/^cpn_/),
    name: 'Welcome',
    percent_off: null,
    amount_off: 12.5,
    currency: 'EUR',
    times: 3,
    until: null,
    product_ids: [product.id],
    customer_uuids: [customer],
    exclusive: true,
    minimum_amount: 40,
    first_order_only: true,
    max_redemptions: 10,
    // Midnight in Hong Kong, the zone of the business.
    redeem_until: '2031-02-28T16:00:00.000Z',
    redemptions: 0,
    state: 'active',
    reference_id: 'c-1',
    metadata: { campaign: 'spring' },
    created_at: '2031-01-31T02:00:00.000Z',
    updated_at: '2031-01-31T02:00:00.000Z',
  })
  expect(asJson(await recurring.coupon(caller, made.id)).coupon).toEqual(made)
  const exact = await recurring.createCoupon(caller, {
    name: 'Exact',
    percent_off: new ExactNumber('33.333333'),
  })
  expect(JSON.stringify(exact)).toContain('"percent_off":33.333333')
})

test('an edit changes the name and the limits only, and writes its event', async () => {
  const { shop, caller, coupon } = await open()
  const made = await coupon({ max_redemptions: 10, redeem_until: '2031-03-01T00:00:00Z' })
  const edit = async (members: Parameters<typeof recurring.editCoupon>[2]) =>
    asJson(await recurring.editCoupon(caller, made.id, members)).coupon
  expect(await edit({ name: 'Hello' })).toMatchObject({
    name: 'Hello',
    max_redemptions: 10,
    redeem_until: '2031-03-01T00:00:00.000Z',
    percent_off: 25,
  })
  expect(await edit({ max_redemptions: null, redeem_until: null })).toMatchObject({
    name: 'Hello',
    max_redemptions: null,
    redeem_until: null,
  })
  expect(await edit({ redeem_until: START })).toMatchObject({ state: 'expired' })
  const types = (await shop.events(made.id)).map(({ type }) => type)
  expect(types).toEqual(['coupon.created', 'coupon.updated', 'coupon.updated', 'coupon.updated'])
  expect(await refusalOf(recurring.editCoupon(caller, 'cpn_unknown', {}))).toBe('404 coupon_not_found')
})

test.each<[string, Record<string, unknown>, string]>([
  ['both of percent and amount', { percent_off: 5, amount_off: 5, currency: 'EUR' }, 'coupon.amount_off'],
  ['a percentage of 0', { percent_off: 0 }, 'coupon.percent_off'],
  ['a percentage above 100', { percent_off: 100.5 }, 'coupon.percent_off'],
  ['seven decimals', { percent_off: new ExactNumber('1.0000001') }, 'coupon.percent_off'],
  ['an amount without a currency', { percent_off: undefined, amount_off: 5 }, 'coupon.currency'],
  ['a minimum without a currency', { minimum_amount: 5 }, 'coupon.currency'],
  ['a percentage with a currency only', { currency: 'EUR' }, 'coupon.currency'],
  ['no currency', { amount_off: 5, percent_off: undefined, currency: 'EURO' }, 'coupon.currency'],
  ['an amount of 0', { amount_off: 0, percent_off: undefined, currency: 'EUR' }, 'coupon.amount_off'],
  ['too many decimals', { amount_off: 1.005, percent_off: undefined, currency: 'EUR' }, 'coupon.amount_off'],
  ['times and until', { times: 3, until: '2032-01-01' }, 'coupon.until'],
  ['until in the past', { until: START }, 'coupon.until'],
  ['redeem_until in the past', { redeem_until: '2031-01-31' }, 'coupon.redeem_until'],
])('a coupon with %s is refused, and the refusal names the member', async (_, members, param) => {
  const { caller } = await open()
  const request = { name: 'Welcome', percent_off: 25, ...members } as NewCoupon
  await expect(recurring.createCoupon(caller, request)).rejects.toMatchObject({
    status: 422,
    reason: 'coupon_invalid',
    detail: { param },
  })
})

test('a coupon with neither percent nor amount lacks a member', async () => {
  const { caller } = await open()
  const refusal = await refusalOf(recurring.createCoupon(caller, { name: 'Welcome' }))
  expect(refusal).toBe('400 missing_member coupon.percent_off')
})

test('a coupon names products, customers and a reference id that exist', async () => {
  const { caller, coupon } = await open()
  const first = await coupon({ reference_id: 'r' })
  const refused = (members: Partial<NewCoupon>) =>
    recurring.createCoupon(caller, { name: 'Other', percent_off: 5, ...members })
  await expect(refused({ reference_id: 'r' })).rejects.toMatchObject({
    reason: 'reference_id_taken',
    detail: { param: 'coupon.reference_id', data: { coupon: { id: first.id } } },
  })
  await expect(refused({ product_ids: ['prd_unknown'] })).rejects.toMatchObject({
    reason: 'product_not_found',
    detail: { param: 'coupon.product_ids[0]' },
  })
  await expect(refused({ customer_uuids: ['cus_unknown'] })).rejects.toMatchObject({
    reason: 'customer_not_found',
    detail: { param: 'coupon.customer_uuids[0]' },
  })
})

test('codes ignore case, and the refusal of a taken one names the first', async () => {
  const { caller, code } = await open()
  const first = await code({ code: 'Größe10' })
  expect(first).toMatchObject({ code: 'Größe10', redemptions: 0, state: 'active', customer_uuid: null })
  await expect(code({ code: 'GRÖßE10' })).rejects.toMatchObject({
    status: 409,
    reason: 'code_taken',
    detail: { param: 'promotion_code.code', data: { promotion_code: { id: first.id } } },
  })
  const list = async (filter?: string) => {
    const found = await recurring.promotionCodesPage(caller, filter, { list: 'promotion_codes', ...PAGE })
    return asJson(found).promotion_codes.map(({ id }) => id)
  }
  expect(await list('code = "grÖße10"')).toEqual([first.id])
  expect(await list(`coupon_id = ${first.coupon_id} AND state = active`)).toEqual([first.id])
  expect(await list('state = expired')).toEqual([])
  expect(asJson(await recurring.promotionCode(caller, first.id)).promotion_code).toEqual(first)
})

test('a promotion code names a coupon and a customer that exist, and a reference id of its own', async () => {
  const { caller, code } = await open()
  const first = await code({ code: 'A', reference_id: 'r' })
  await expect(code({ code: 'B', reference_id: 'r' })).rejects.toMatchObject({
    reason: 'reference_id_taken',
    detail: { param: 'promotion_code.reference_id', data: { promotion_code: { id: first.id } } },
  })
  await expect(code({ code: 'B', coupon_id: 'cpn_unknown' })).rejects.toMatchObject({
    reason: 'coupon_not_found',
    detail: { param: 'promotion_code.coupon_id' },
  })
  await expect(code({ code: 'B', customer_uuid: 'cus_unknown' })).rejects.toMatchObject({
    reason: 'customer_not_found',
    detail: { param: 'promotion_code.customer_uuid' },
  })
  await expect(code({ code: 'B', redeem_until: '2031-01-01' })).rejects.toMatchObject({
    reason: 'coupon_invalid',
    detail: { param: 'promotion_code.redeem_until' },
  })
  expect(await refusalOf(recurring.promotionCode(caller, 'pmc_unknown'))).toBe('404 promotion_code_not_found')
})

test('the state of a coupon follows its time, and lists filter by it', async () => {
  const { shop, caller, coupon } = await open()
  const ends = await coupon({ redeem_until: '2031-02-10' })
  const lowers = await coupon({ until: '2031-02-20' })
  const stays = await coupon()
  const list = async (filter: string) => {
    const found = asJson(await recurring.couponsPage(caller, filter, { list: 'coupons', ...PAGE }))
    return found.coupons.map(({ id, state }) => [id, state])
  }
  await shop.jump('2031-02-15T00:00:00Z')
  expect(await list('state = expired')).toEqual([[ends.id, 'expired']])
  await shop.jump('2031-03-01T00:00:00Z')
  expect(new Set((await list('state = expired')).map(([id]) => id))).toEqual(new Set([ends.id, lowers.id]))
  expect(await list('state = active')).toEqual([[stays.id, 'active']])
})
