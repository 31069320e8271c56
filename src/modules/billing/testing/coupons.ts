import type { NewCoupon, NewPromotionCode } from '#modules/catalogue'
import { asJson, CARDS, type Fixture, planOf, Shop } from './fixture.ts'

/** A shop whose customer has a good card, with helpers for coupons, codes and plans. */
export async function openCouponShop(fixture: Fixture, start: string) {
  const shop = await Shop.open(fixture, start)
  const { recurring } = fixture
  const { caller } = shop
  const customer = await shop.customer(CARDS.good)
  const coupon = async (members: Partial<NewCoupon> = {}) => {
    const off = members.amount_off === undefined ? { percent_off: 25 } : {}
    return asJson(await recurring.createCoupon(caller, { name: 'Welcome', ...off, ...members })).coupon
  }
  const code = async (members: NewPromotionCode) =>
    asJson(await recurring.createPromotionCode(caller, members)).promotion_code
  const attach = async (planId: string, text: string) =>
    planOf(await recurring.attachCoupon(caller, planId, text))
  const detach = async (planId: string, couponId: string) =>
    planOf(await recurring.detachCoupon(caller, planId, couponId))
  const redemptions = async (id: string) => asJson(await recurring.coupon(caller, id)).coupon.redemptions
  /** The coupon lines of each order of a plan, oldest first, and what is to be paid. */
  const billed = async (planId: string) =>
    (await shop.orders(planId)).map(({ initial_total: total, line_items: lines }) => ({
      coupons: (lines ?? []).flatMap(({ kind, label, price }) => (kind === 'coupon' ? [[label, price]] : [])),
      total,
    }))
  return { shop, caller, customer, coupon, code, attach, detach, redemptions, billed }
}
