import type { Caller } from '#platform/caller'
import {
  changePlan,
  decideCoupons,
  findCycleItems,
  insertPlanCoupons,
  markPlanWithCoupons,
  nextCouponPosition,
  type PlanView,
  redeem,
  refuseUnlessRecoverable,
  withEvent,
  withPlan,
} from '#modules/plans'
import { catalogueErrors as errors } from '#modules/catalogue'
import type { BillingContext } from '../context.ts'

export function attachCoupon(
  ctx: BillingContext,
  caller: Caller,
  id: string,
  text: string,
): Promise<PlanView> {
  return changePlan(ctx, caller, id, async (aggregate, at, tx) => {
    const refused = refuseUnlessRecoverable(aggregate)
    if (refused !== null) return refused
    const items = (await findCycleItems(tx, [id])).get(id) ?? []
    const [attached] = await decideCoupons(tx, aggregate, items, at, [{ text, param: 'coupon' }])
    if (attached === undefined) throw new Error(`plan ${id} got no coupon`)
    const coupon = { ...attached, position: await nextCouponPosition(tx, id) }
    await redeem(tx, [{ coupon, param: 'coupon' }])
    if (!aggregate.plan.hasCoupons) await markPlanWithCoupons(tx, id)
    await insertPlanCoupons(tx, [{ ...coupon, planId: id }])
    const coupons = [...aggregate.coupons, coupon]
    return withEvent(withPlan({ ...aggregate, coupons }, { hasCoupons: true }), {
      type: 'plan.coupon_attached',
    })
  })
}

export function detachCoupon(
  ctx: BillingContext,
  caller: Caller,
  id: string,
  couponId: string,
): Promise<PlanView> {
  return changePlan(ctx, caller, id, async (aggregate, at) => {
    const refused = refuseUnlessRecoverable(aggregate)
    if (refused !== null) return refused
    const coupons = aggregate.coupons.map((attached) =>
      attached.coupon.id === couponId ? { ...attached, endedAt: at } : attached,
    )
    if (coupons.every(({ endedAt }) => endedAt === null)) {
      throw errors.coupon_not_found({ message: 'The plan has no such coupon.' })
    }
    return withEvent({ ...aggregate, coupons }, { type: 'plan.coupon_detached' })
  })
}
