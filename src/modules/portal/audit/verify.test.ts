import { expect, test } from 'vitest'
import { adminOf } from '#platform/testing/database'
import { asJson, CARDS, createFixture, Shop } from '../../billing/testing/fixture.ts'
import { RULES, verifyPortal } from './verify.ts'

const fixture = await createFixture()

// Proves reference/operations#verify.
test('an offer without its coupon, and one that another customer accepted, are found', async () => {
  const shop = await Shop.open(fixture, '2031-01-10T04:00:00Z')
  const { businessId } = shop.caller
  const { coupon } = asJson(
    await fixture.recurring.createCoupon(shop.caller, { name: 'Stay', percent_off: 50, times: 3 }),
  )
  const customer = await shop.customer(CARDS.good)
  const { id: planId } = await shop.plan(customer, { coupons: [coupon.id] })
  const node = await adminOf(fixture, businessId)
  const found = async () =>
    (await Array.fromAsync(verifyPortal(fixture.db)(businessId))).map(({ rule, object }) => [rule, object])
  await node.query(
    `insert into portal_offers (business_id, plan_id, customer_uuid, coupon_id, accepted_at)
     select business_id, id, customer_uuid, $2, now() from recurring_plans where id = $1`,
    [planId, coupon.id],
  )
  expect(await found()).toEqual([])
  await node.query(`update portal_offers set coupon_id = 'cpn_other', customer_uuid = 'cus_other'`)
  expect(await found()).toEqual(Object.keys(RULES).map((rule) => [rule, planId]))
})
